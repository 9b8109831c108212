// How CommonMark sees the characters around a run of `*`, `_` or `~`. Symbols (€, +, emoji) count as punctuation since
// version 0.31 and did not before, so they are a kind of their own: what we write must hold in both readings.

export const space = 1
export const punctuation = 2
export const symbol = 3
const other = 0

/** The kind of a code point. A line feed stands for the edge of a line. */
export function kindOf(code: number): number {
  if (code < 128) return asciiKinds[code] ?? other
  if (isFixedSpace(code)) return space
  // Latin, Greek, Cyrillic, kana, Han and Hangul letters need no look into the Unicode tables.
  if ((code >= 0xc0 && code < 0x2c2 && code !== 0xd7 && code !== 0xf7) || (code >= 0x4e00 && code < 0x9fff))
    return other
  const character = String.fromCodePoint(code)
  if (/\p{P}/u.test(character)) return punctuation
  return /\p{S}/u.test(character) ? symbol : other
}

/** White space that does not collapse, and beside which a delimiter does not count. */
export function isFixedSpace(code: number): boolean {
  if (code < 0x1680) return code === 0xa0
  if (code >= 0x2000 && code <= 0x200a) return true
  return code === 0x3000 || code === 0x202f || code === 0x205f || code === 0x2028 || code === 0x2029 || code === 0x1680
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || (code >= 9 && code <= 13)) return space
  return code > 32 && code < 127 && /[^a-z0-9]/i.test(String.fromCharCode(code)) ? punctuation : other
})

/** Can a run of delimiters between these two stand for the start of emphasis? */
export function opens(before: number, after: number): boolean {
  const next = kindOf(after)
  if (next === space) return false
  return next === other || isEdge(before)
}

/** Can a run of delimiters between these two stand for the end of emphasis? */
export function closes(before: number, after: number): boolean {
  const previous = kindOf(before)
  if (previous === space) return false
  return previous === other || isEdge(after)
}

/** White space or what is punctuation in every version of the rules. */
export function isEdge(code: number): boolean {
  const kind = kindOf(code)
  return kind === space || kind === punctuation
}

export function firstCode(text: string): number {
  return text.codePointAt(0) ?? 10
}

export function lastCode(text: string): number {
  return codeBefore(text, text.length)
}

/** The code point that ends at this place. */
export function codeBefore(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isLow = last >= 0xdc00 && last <= 0xdfff && end > 1
  return isLow ? (text.codePointAt(end - 2) ?? last) : last
}
