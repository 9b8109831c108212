// Writes bundles in ASCII. V8 stores a source file in two bytes per character if it has a single character outside Latin-1, such as
// the "…" of a message.
import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { Visitor } from 'rolldown/utils'

/** Creates a plugin that escapes all characters outside ASCII. In the source maps, columns after such a character are inexact. */
export const asciiOnly = (): Plugin => ({
  name: 'ascii-only',
  // Not in `renderChunk`, whose result is printed again without escapes.
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = toAscii(file.code)
  },
})

/**
 * Returns an equivalent module in ASCII; only the `source` of its regular expressions has other characters. Throws an `Error` if `String.raw` has a backslash before another character, because
 * such a string cannot be escaped.
 */
export function toAscii(code: string): string {
  if (/^[\0-\x7F]*$/.test(code)) return code
  const raw = rawTemplatesIn(code)
  return code.replaceAll(/(\\*)([^\0-\x7F]+)/g, (_, backslashes: string, characters: string, at: number) => {
    const isEscaped = backslashes.length % 2 === 1
    const escaped = Array.from({ length: characters.length }, (__, i) => escapeOf(characters.charCodeAt(i))).join('')
    if (!raw.some(({ start, end }) => at >= start && at < end)) return backslashes.slice(isEscaped ? 1 : 0) + escaped
    if (isEscaped) throw new Error(`String.raw has ${backslashes}${characters}. Remove the backslash before it.`)
    return `${backslashes}\${"${escaped}"}`
  })
}

const escapeOf = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the parts of `String.raw` templates in which escapes have no effect. */
function rawTemplatesIn(code: string): readonly Span[] {
  const found: Span[] = []
  if (!code.includes('String.raw')) return found
  const visitor = new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (code.slice(tag.start, tag.end) === 'String.raw') found.push(...quasi.quasis)
    },
  })
  visitor.visit(parseAst(code))
  return found
}
