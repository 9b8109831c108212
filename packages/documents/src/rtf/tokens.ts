// Tokens of RTF 1.9: groups, control words, and text. Bytes are read as Latin-1, so that each is one character.

export interface RtfHandler {
  open(): void
  close(): void
  /** Handles `\name` with its number, if it has one. */
  word(name: string, value: number | undefined): void
  /** Handles plain bytes, one character each. */
  text(bytes: string): void
  /** Returns whether reading can stop. */
  isFull(): boolean
}

const plain = /[^\\{}\r\n\0]+/y
const word = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?/y

/** Passes the groups, control words and text of a source to the handler, until its end or until the handler is full. */
export function readTokens(source: string, handler: RtfHandler): void {
  let at = 0
  while (at < source.length && !handler.isFull()) {
    const sign = source[at] as string
    if (sign === '{') handler.open()
    else if (sign === '}') handler.close()
    else if (sign === '\\') {
      at = readControl(source, at, handler)
      continue
    } else if (sign !== '\r' && sign !== '\n' && sign !== '\0') {
      plain.lastIndex = at
      const text = plain.exec(source)?.[0] ?? sign
      handler.text(text)
      at += text.length
      continue
    }
    at += 1
  }
}

function readControl(source: string, at: number, handler: RtfHandler): number {
  word.lastIndex = at
  const match = word.exec(source)
  if (!match) return readSymbol(source, at, handler)
  const [whole, name = '', number] = match
  const value = number === undefined ? undefined : Number(number)
  // The bytes of a picture follow unescaped and may contain anything, so they are skipped.
  if (name === 'bin') return at + whole.length + Math.max(0, value ?? 0)
  handler.word(name, value)
  return at + whole.length
}

function readSymbol(source: string, at: number, handler: RtfHandler): number {
  const sign = source[at + 1]
  if (sign === "'") {
    const code = Number.parseInt(source.slice(at + 2, at + 4), 16)
    if (!Number.isNaN(code)) handler.text(String.fromCharCode(code))
    return at + 4
  }
  if (sign === '\\' || sign === '{' || sign === '}') handler.text(sign)
  else if (sign === '\r' || sign === '\n') handler.word('par', undefined)
  else if (sign !== undefined) handler.word(sign, undefined)
  return at + 2
}
