import type { NamedFile } from './check-names.ts'

/** Types whose members others read, and who. */
const readElsewhere: Readonly<Record<string, string>> = {
  KeyEvent: 'the browser, as the parameters of a command',
  Place: 'the browser, as the parameters of a command',
  CopyOut: 'the client of Postgres, which calls it',
  PageBlock: 'who asked for the blocks of a document',
  MenuPrice: 'who asked for a menu, into which it is spread',
  MenuItem: 'who asked for a menu, into which it is spread',
  TurndownRule: 'turndown, which is given it',
  Facts: 'who asked for the metadata of a document, into which it is spread',
  TracedUrl: 'who asked for an extract with its sources',
  Shape: 'the check of commands, word for word by a table',
  ThreatProtection: 'the server, which accepts the options that have no effect',
  Look: 'who reads what `harvestman watch --json` prints',
}

const types = /^export interface (\w+)(?:<[^{]*?>)?(?: extends [^{]+)? \{\n([\s\S]*?)^\}/gm
const member = /^ {2}(?:readonly |get )?(\w+)\??[(:<]/gm

/**
 * Members of exported interfaces whose name no product code reads. What a package exports is for programs to read, so only
 * types of its inside are looked at. A name that is read anywhere counts, whosever it is: what is found is surely unread,
 * and some is missed. A sentence for each.
 */
export function findUnread(files: readonly NamedFile[], isPublic: (type: string) => boolean): string[] {
  const read = new Set(files.flatMap(({ text }) => [...namesRead(text)]))
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(types)]
      .filter(([, type = '']) => !isPublic(type) && !(type in readElsewhere))
      .flatMap(([, type = '', body = '']) =>
        [...body.matchAll(member)]
          .filter(([, name = '']) => !read.has(name))
          .map(
            ([, name]) =>
              `${file}: nothing reads ${type}.${name}: delete it, or say in scripts/check-members.ts who does.`,
          ),
      ),
  )
}

function* namesRead(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\.(\w+)/g)) yield name
  // Asked for by its name.
  for (const [, name = ''] of text.matchAll(/['"](\w+)['"]/g)) yield name
  for (const { index } of text.matchAll(/\b(?:const|let) \{/g)) yield* namesIn(upTo(text, text.indexOf('{', index)))
  for (const { index } of text.matchAll(/\(/g)) {
    const group = upTo(text, index)
    // Parameters: a body or a type comes after them. Conditions look alike, and are taken along.
    if (group.includes('{') && /^\s*(?:=>|:|\{)/.test(text.slice(index + group.length, index + group.length + 20)))
      yield* namesIn(group)
  }
}

function namesIn(pattern: string): string[] {
  return [...pattern.matchAll(/(?<=[{,]\s*)(\w+)\s*(?=[:,}=])/g)].map(([, name = '']) => name)
}

const pairs: Readonly<Record<string, string>> = { '{': '}', '(': ')' }
const longest = 2_000

/** From a bracket to the one that closes it. */
function upTo(text: string, at: number): string {
  const open = text[at] ?? ''
  let depth = 0
  for (let end = at; end < text.length && end < at + longest; end += 1) {
    if (text[end] === open) depth += 1
    if (text[end] === pairs[open]) depth -= 1
    if (depth === 0) return text.slice(at, end + 1)
  }
  return ''
}
