// Characters with a special meaning in Markdown, one bit each, so that a bit set lists the ones in a string.

export const star = 1
export const underscore = 2
export const backtick = 4
export const tilde = 8
export const openBracket = 16
export const closeBracket = 32
export const less = 64
export const ampersand = 128
export const backslash = 256
export const pipe = 512
export const bang = 1024
/** A bracket in a link's text. */
export const linkBracket = 2048
/** White space that HTML collapses. */
export const blank = 1 << 15

const bits: readonly (readonly [string, number])[] = [
  ['*', star],
  ['_', underscore],
  ['`', backtick],
  ['~', tilde],
  ['[', openBracket],
  [']', closeBracket],
  ['<', less],
  ['&', ampersand],
  ['\\', backslash],
  ['|', pipe],
  ['!', bang],
  [' ', blank],
  ['\t', blank],
  ['\n', blank],
  ['\f', blank],
  ['\r', blank],
]

/** Indexed by character code; only for codes below 128. */
export const signOf: Uint16Array = new Uint16Array(128)
for (const [character, bit] of bits) signOf[character.charCodeAt(0)] = bit

/**
 * Returns whether the character code is white space that HTML collapses: space, tab, line feed, form feed, carriage
 * return.
 */
export function isBlankCode(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12
}
