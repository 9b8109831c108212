/** A syntax error in a selector. The message is the end of a sentence. */
export class SyntaxProblem extends Error {}

/** A position in a selector. */
export interface Scanner {
  readonly text: string
  at: number
}

/** Skips white space. Returns whether there was any. */
export function skipBlanks(scanner: Scanner): boolean {
  const from = scanner.at
  while (/[\t\n\f\r ]/.test(scanner.text[scanner.at] ?? '')) scanner.at += 1
  return scanner.at > from
}

/** Returns the next character without skipping it, or an empty string at the end. */
export function peek({ text, at }: Scanner): string {
  return text[at] ?? ''
}

/** Skips `sign` if it is next. Returns whether it was. */
export function take(scanner: Scanner, sign: string): boolean {
  if (!scanner.text.startsWith(sign, scanner.at)) return false
  scanner.at += sign.length
  return true
}

/** Skips `sign`, which must be next. Otherwise throws a `SyntaxProblem`; `where` names the construct in its message. */
export function expectSign(scanner: Scanner, sign: string, where: string): void {
  if (!take(scanner, sign)) throw new SyntaxProblem(`${where} needs a ${JSON.stringify(sign)}${foundAt(scanner)}.`)
}

/** Returns the end of an error message, which names the next character in place of the expected one. */
export function foundAt(scanner: Scanner): string {
  const sign = peek(scanner)
  return sign === '' ? ' before its end' : `, not ${JSON.stringify(sign)}`
}

const identifier =
  /(?:--|-?(?:[a-zA-Z_]|[^\0-\x7F]|\\[^\n]))(?:[\w-]|[^\0-\x7F]|\\(?:[\da-fA-F]{1,6}[\t\n\f\r ]?|[^\n]))*/y
const name = /(?:[\w-]|[^\0-\x7F]|\\(?:[\da-fA-F]{1,6}[\t\n\f\r ]?|[^\n]))+/y

/**
 * Reads a CSS identifier and resolves its escapes. Throws a `SyntaxProblem` if there is none; `where` names the construct in
 * its message.
 */
export function readIdentifier(scanner: Scanner, where: string): string {
  return readWith(scanner, identifier, where)
}

/**
 * Reads a name: like an identifier, but it may start with a digit, as ids do. Throws a `SyntaxProblem` if there is
 * none.
 */
export function readName(scanner: Scanner, where: string): string {
  return readWith(scanner, name, where)
}

function readWith(scanner: Scanner, pattern: RegExp, where: string): string {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)?.[0]
  if (found === undefined) throw new SyntaxProblem(`${where} needs a name${foundAt(scanner)}.`)
  scanner.at += found.length
  return unescape(found)
}

/** Reads a quoted string and resolves its escapes. Throws a `SyntaxProblem` if it does not end. */
export function readString(scanner: Scanner): string {
  const quote = peek(scanner)
  const pattern = quote === '"' ? /"((?:[^"\\]|\\[^])*)"/y : /'((?:[^'\\]|\\[^])*)'/y
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)
  if (!found) throw new SyntaxProblem(`a text in quotes does not end.`)
  scanner.at += found[0].length
  return unescape(found[1]!)
}

function unescape(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:([\da-fA-F]{1,6})[\t\n\f\r ]?|([^]))/g, (_, code: string | undefined, sign: string) => {
    if (code === undefined) return sign === '\n' ? '' : sign
    const point = Number.parseInt(code, 16)
    return point === 0 || point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point)
  })
}

/**
 * Returns the content of the parentheses just opened, unparsed, and skips the closing one. Throws a `SyntaxProblem` if
 * there is none.
 */
export function readArgument(scanner: Scanner, where: string): string {
  const from = scanner.at
  let depth = 1
  while (scanner.at < scanner.text.length) {
    const sign = peek(scanner)
    if (sign === '"' || sign === "'") {
      readString(scanner)
      continue
    }
    if (sign === '\\') scanner.at += 1
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    scanner.at += 1
    if (depth === 0) return scanner.text.slice(from, scanner.at - 1).trim()
  }
  throw new SyntaxProblem(`${where} does not end.`)
}
