// Content lines, the syntax of calendars (RFC 5545) and of contacts (RFC 6350).

export interface ContentLine {
  /** In upper case, without its group. */
  readonly name: string
  /** Parameters by name, in upper case. */
  readonly parameters: ReadonlyMap<string, string>
  readonly value: string
}

/** Reads content lines. Lines that begin with white space continue the line before; lines without a name are skipped. */
export function* contentLines(text: string): Generator<ContentLine> {
  let parts: string[] = []
  for (const line of linesOf(text)) {
    if (/^[ \t]/.test(line)) {
      parts.push(line.slice(1))
      continue
    }
    // Old contacts break long values with an equals sign at the end of the line.
    if (parts.length > 0 && (parts[parts.length - 1] ?? '').endsWith('=') && isQuotedPrintable(parts[0] ?? '')) {
      parts[parts.length - 1] = (parts[parts.length - 1] ?? '').slice(0, -1)
      parts.push(line)
      continue
    }
    const found = parse(parts.join(''))
    if (found) yield found
    parts = [line]
  }
  const found = parse(parts.join(''))
  if (found) yield found
}

function* linesOf(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    yield text.slice(at, text[stop - 1] === '\r' ? stop - 1 : stop)
    at = stop + 1
  }
}

function isQuotedPrintable(line: string): boolean {
  return /^[^:]{1,500}QUOTED-PRINTABLE/i.test(line)
}

const maxHead = 2_000

function parse(line: string): ContentLine | undefined {
  const head = headOf(line)
  const [first = '', ...others] = splitOutsideQuotes(head, ';')
  const name = first.slice(first.lastIndexOf('.') + 1).toUpperCase()
  if (head.length === line.length || !/^[A-Z\d-]+$/.test(name)) return undefined
  const parameters = new Map<string, string>()
  for (const parameter of others) {
    const at = parameter.indexOf('=')
    const key = (at < 0 ? 'TYPE' : parameter.slice(0, at)).toUpperCase()
    const value = parameter.slice(at + 1).replaceAll('"', '')
    parameters.set(key, parameters.has(key) ? `${parameters.get(key)},${value}` : value)
  }
  const value = line.slice(head.length + 1)
  return { name, parameters, value: isQuotedPrintable(head + ':') ? decodeQuotedPrintable(value) : value }
}

/** Returns the name and the parameters: everything before the first colon outside of quotes. */
function headOf(line: string): string {
  let isQuoted = false
  const end = Math.min(line.length, maxHead)
  for (let at = 0; at < end; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return line.slice(0, at)
  }
  return line
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

function decodeQuotedPrintable(value: string): string {
  const bytes = value.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

/** Decodes the escapes of a value. */
export function textOf(value: string): string {
  return value.replaceAll(/\\([nN,;:\\])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character))
}

/** Splits a value at semicolons that are not escaped, such as the parts of a name, and decodes each part. */
export function partsOf(value: string): readonly string[] {
  return value.split(/(?<!\\);/).map((part) => textOf(part).trim())
}
