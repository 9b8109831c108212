// Text that is encoded: in invisible characters, Base64 or hexadecimal digits, or in reverse.

const tagText = /[\u{E0020}-\u{E007E}]{8,}/gu
const flags = /\u{1F3F4}[\u{E0020}-\u{E007F}]{2,8}/gu
const selectors = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{8,}/gu
const zeroWidths = /[\u200B-\u200D\u2060\u2062\u2063\uFEFF\u180E]{24,}/g
const reversed = /[\u202D\u202E\u2067]([^\u202C\u2069\n]{8,400})/g

/** Returns whether HTML source may contain invisible characters that carry text, as such or as character references. */
export function mayCarry(html: string): boolean {
  return (
    /[\u{E0020}-\u{E007E}\u202D\u202E\u2067]/u.test(html) ||
    html.search(selectors) >= 0 ||
    html.search(zeroWidths) >= 0 ||
    /&#(?:x0*(?:e0|20[26]|fe0|200|feff)|0*(?:917|8203|8204|8205|823[78]|8288|829|6502|65279))/i.test(html)
  )
}

/**
 * Returns the strings that invisible characters in a string spell, and those that direction overrides show in reverse. Empty
 * if there are none.
 */
export function invisibleTexts(text: string): readonly string[] {
  const found: string[] = []
  for (const [run] of text.replaceAll(flags, '').matchAll(tagText))
    found.push(Array.from(run, (one) => String.fromCharCode(one.codePointAt(0)! - 0xe0000)).join(''))
  for (const [run] of text.matchAll(selectors)) found.push(...readable(Uint8Array.from(run, byteOf)))
  for (const [run] of text.matchAll(zeroWidths)) found.push(...bitsOf(run))
  for (const { 1: run = '' } of text.matchAll(reversed)) found.push(Array.from(run).toReversed().join(''))
  return found
}

function byteOf(selector: string): number {
  const code = selector.codePointAt(0)!
  return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00
}

/** Reads the two most frequent characters as bits, in both ways. */
function bitsOf(run: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const one of run) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [zero, one] = [...counts].toSorted((a, b) => b[1] - a[1]).map(([character]) => character)
  if (zero === undefined || one === undefined) return []
  const bits = Array.from(run).filter((character) => character === zero || character === one)
  return [one, zero].flatMap((set) =>
    [8, 7].flatMap((width) => {
      const bytes: number[] = []
      for (let at = 0; at + width <= bits.length; at += width)
        bytes.push(bits.slice(at, at + width).reduce((sum, bit) => sum * 2 + (bit === set ? 1 : 0), 0))
      return readable(Uint8Array.from(bytes))
    }),
  )
}

const base64 = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{28,8000}={0,2}(?![A-Za-z0-9+/_=-])/g
const hexadecimal = /(?<![0-9a-f])(?:[0-9a-f]{2}[ :]?){20,2000}(?![0-9a-f])/gi
const maxTokens = 200

/**
 * Returns the readable strings that Base64 and hexadecimal tokens in a string decode to, with the position of each token.
 * Reads at most 400 tokens.
 */
export function encodedTexts(text: string): readonly { readonly text: string; readonly at: number }[] {
  const found: { text: string; at: number }[] = []
  let count = 0
  for (const { 0: token, index } of text.matchAll(base64)) {
    if (++count > maxTokens) break
    for (const one of readable(Buffer.from(token, 'base64'))) found.push({ text: one, at: index })
  }
  for (const { 0: token, index } of text.matchAll(hexadecimal)) {
    if (++count > maxTokens * 2) break
    for (const one of readable(Buffer.from(token.replaceAll(/[ :]/g, ''), 'hex'))) found.push({ text: one, at: index })
  }
  return found
}

/** Returns the text of bytes, or nothing if it is not UTF-8 of mostly letters and spaces. */
function readable(bytes: Uint8Array): readonly string[] {
  if (bytes.length < 8) return []
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return []
  }
  const good = text.match(/[\p{L}\p{M}\p{N}\p{P}\p{Zs}\n]/gu)?.length ?? 0
  return good >= text.length * 0.95 && /\p{L}{3}/u.test(text) ? [text] : []
}
