// Classifies characters around a run of `*`, `_` or `~` as CommonMark does. Symbols (€, +, emoji) count as punctuation
// only since version 0.31, so they are a kind of their own: the output must work in both versions.

export const space = 1
export const punctuation = 2
export const symbol = 3
const other = 0

/**
 * Returns the kind of a code point: `space`, `punctuation`, `symbol`, or 0 for others. ASCII symbols count as punctuation. A
 * line feed represents the edge of a line.
 */
export function kindOf(code: number): number {
  if (code < 128) return asciiKinds[code] ?? other
  if (isFixedSpace(code)) return space
  // Fast path: Latin and Han characters need no Unicode property lookup.
  if ((code >= 0xc0 && code < 0x2c2 && code !== 0xd7 && code !== 0xf7) || (code >= 0x4e00 && code < 0x9fff))
    return other
  const character = String.fromCodePoint(code)
  if (/\p{P}/u.test(character)) return punctuation
  return /\p{S}/u.test(character) ? symbol : other
}

/** Returns whether the code point is white space that HTML does not collapse. Markdown ignores delimiters next to it. */
export function isFixedSpace(code: number): boolean {
  if (code < 0x1680) return code === 0xa0
  if (code >= 0x2000 && code <= 0x200a) return true
  return code === 0x3000 || code === 0x202f || code === 0x205f || code === 0x2028 || code === 0x2029 || code === 0x1680
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || (code >= 9 && code <= 13)) return space
  return code > 32 && code < 127 && /[^a-z0-9]/i.test(String.fromCharCode(code)) ? punctuation : other
})

/** Returns whether a run of delimiters between these two code points can open emphasis. */
export function opens(before: number, after: number): boolean {
  const next = kindOf(after)
  if (next === space) return false
  return next === other || isEdge(before)
}

/** Returns whether a run of delimiters between these two code points can close emphasis. */
export function closes(before: number, after: number): boolean {
  const previous = kindOf(before)
  if (previous === space) return false
  return previous === other || isEdge(after)
}

/** Returns whether the code point is white space, or punctuation in every CommonMark version. */
export function isEdge(code: number): boolean {
  const kind = kindOf(code)
  return kind === space || kind === punctuation
}

/** Returns the first code point of a string, or a line feed if it is empty. */
export function firstCode(text: string): number {
  return text.codePointAt(0) ?? 10
}

/** Returns the last code point of a string, or a line feed if it is empty. */
export function lastCode(text: string): number {
  return codeBefore(text, text.length)
}

/** Returns the code point before the index `end`, which must be at least 1. */
export function codeBefore(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isLow = last >= 0xdc00 && last <= 0xdfff && end > 1
  return isLow ? (text.codePointAt(end - 2) ?? last) : last
}
