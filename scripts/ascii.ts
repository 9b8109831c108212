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
 * Returns an equivalent module in ASCII. Only the `source` of its regular expressions, the `raw` strings of tags other than
 * `String.raw`, and the strings of `Function#toString` would differ. Throws an `Error` for another tag with such a character, for
 * `String.raw` with a backslash before one, because it cannot be escaped, and if the result is not valid.
 */
export function toAscii(code: string): string {
  if (/^[\0-\x7F]*$/.test(code)) return code
  const { raw, names, literals } = spansIn(code)
  const ascii = code.replaceAll(/(\\*)([^\0-\x7F]+)/g, (_, backslashes: string, characters: string, at: number) => {
    const isEscaped = backslashes.length % 2 === 1
    // Outside literals they end a line, and with it a comment.
    if (/[\u2028\u2029]/.test(characters) && !isWithin(literals, at + backslashes.length)) {
      throw new Error('The module has U+2028 or U+2029 outside a string. Use a line feed.')
    }
    if (isEscaped && /^[\u2028\u2029]/.test(characters)) {
      throw new Error('The module continues a string after a backslash and U+2028 or U+2029. Use one line.')
    }
    const isName = isWithin(names, at + backslashes.length)
    const escaped = isName
      ? Array.from(characters, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('')
      : Array.from({ length: characters.length }, (__, i) => escapeOf(characters.charCodeAt(i))).join('')
    if (!isWithin(raw, at)) return backslashes.slice(isEscaped ? 1 : 0) + escaped
    if (isEscaped) throw new Error(`String.raw has ${backslashes}${characters}. Remove the backslash before it.`)
    return `${backslashes}\${"${escaped}"}`
  })
  try {
    parseAst(ascii)
  } catch (cause) {
    throw new Error(
      'The module in ASCII is not valid. Remove characters outside ASCII that are not in strings, names or comments.',
      { cause },
    )
  }
  return ascii
}

const escapeOf = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns whether a position is in one of the spans, which are in order and apart from each other. */
function isWithin(spans: readonly Span[], position: number): boolean {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= position) low = middle + 1
    else high = middle
  }
  const span = spans[low]
  return span !== undefined && span.start <= position
}

interface Spans {
  /** Parts of `String.raw` templates, in which escapes have no effect. */
  readonly raw: readonly Span[]
  /** Names with characters outside ASCII. */
  readonly names: readonly Span[]
  readonly literals: readonly Span[]
}

function spansIn(code: string): Spans {
  const raw: Span[] = []
  const names: Span[] = []
  const literals: Span[] = []
  const isOther = ({ start, end }: Span): boolean => /[^\0-\x7F]/.test(code.slice(start, end))
  const addName = (name: Span): void => void (isOther(name) && names.push(name))
  const visitor = new Visitor({
    Identifier: addName,
    PrivateIdentifier: addName,
    Literal: (literal) => void literals.push(literal),
    TemplateElement: (part) => void literals.push(part),
    TaggedTemplateExpression: ({ tag, quasi }) => {
      const name = code.slice(tag.start, tag.end)
      if (name === 'String.raw') raw.push(...quasi.quasis)
      else if (quasi.quasis.some(isOther))
        throw new Error(
          `The template of the tag ${name} has characters outside ASCII. Pass them as values: \${'\u2026'}.`,
        )
    },
  })
  visitor.visit(parseAst(code))
  const inOrder = (a: Span, b: Span): number => a.start - b.start
  return { raw: raw.toSorted(inOrder), names: names.toSorted(inOrder), literals: literals.toSorted(inOrder) }
}
