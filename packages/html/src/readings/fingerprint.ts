/**
 * A 64-bit simhash of a document's text: similar documents differ in few bits, unrelated ones in about half. Digits are
 * ignored, so pages that differ only in a date or a counter have the same fingerprint.
 */
export interface Fingerprint {
  readonly high: number
  readonly low: number
}

/** Minimum document length in words. Shorter documents are too similar: all pages of a gallery would match. */
const minWords = 16
/**
 * Maximum number of characters. Of longer documents the middle is used, as both ends usually repeat on every page of a
 * site.
 */
const maxCharacters = 10_000
/**
 * Documents with more words are sampled. The sample is selected by hash, so similar documents have similar samples.
 */
const manyWords = 256

// Buffers, reused for each document.
const words = new Int32Array(maxCharacters)
// Vote counts for 32 bits as binary columns: plane 0 has the lowest digit of each count, and so on.
const planes = Math.ceil(Math.log2(maxCharacters + 1))
const low = new Int32Array(planes)
const high = new Int32Array(planes)

/** Longer link targets are not treated as such. */
const maxLinkLength = 2_048

/**
 * Returns the fingerprint of a document, or `undefined` if it has fewer than 16 words. Reads the middle 10,000
 * characters.
 */
export function fingerprint(text: string): Fingerprint | undefined {
  const start = Math.max(0, (text.length - maxCharacters) >> 1)
  const count = hashWords(text, start, Math.min(text.length, start + maxCharacters))
  if (count < minWords) return undefined
  const mask = maskFor(count)
  low.fill(0)
  high.fill(0)
  let voters = 0
  for (let index = 0; index < count; index += 1) {
    const word = words[index]!
    if ((word & mask) !== 0) continue
    voters += 1
    vote(low, mix(word ^ 0x5bd1e995))
    vote(high, mix(word ^ 0x1b873593))
  }
  return { high: winners(high, voters), low: winners(low, voters) }
}

/** Returns the number of bits, of 64, in which two fingerprints differ. */
export function distance(one: Fingerprint, other: Fingerprint): number {
  return countBits(one.high ^ other.high) + countBits(one.low ^ other.low)
}

/**
 * Writes a hash for each word to `words` and returns their number. A word is a run of letters, or one character in
 * scripts without spaces. Skips Markdown link targets, because crawler traps repeat the same page with new URLs.
 */
function hashWords(text: string, start: number, end: number): number {
  let count = 0
  let word = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 128) {
      const letter = code | 32
      if (letter >= 97 && letter <= 122) {
        word = (Math.imul(word, 0x01000193) + letter) | 0
        continue
      }
    } else if (isLetter(code)) {
      word = (Math.imul(word, 0x01000193) + code) | 0
      if (!isIdeograph(code)) continue
    }
    if (word !== 0) words[count++] = mix(word)
    word = 0
    if (code === bracket && text.charCodeAt(at + 1) === parenthesis) at = endOfLink(text, at + 2)
  }
  if (word !== 0) words[count++] = mix(word)
  return count
}

const bracket = 93
const parenthesis = 40

/** Returns the index of the closing parenthesis, or `start` if there is none nearby. */
function endOfLink(text: string, start: number): number {
  const end = text.indexOf(')', start)
  return end < 0 || end > start + maxLinkLength ? start : end
}

/** Returns whether a non-ASCII code is a letter: everything but Latin-1 symbols, general and East Asian punctuation. */
function isLetter(code: number): boolean {
  if (code < 0x2000) return code >= 192
  return code > 0x2bff && !(code >= 0x3000 && code <= 0x303f) && !(code >= 0xff00 && code <= 0xff20)
}

function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code <= 0xd7ff && !(code >= 0xa000 && code <= 0xabff)
}

function maskFor(words: number): number {
  let mask = 0
  for (let left = words; left > manyWords; left /= 2) mask = mask * 2 + 1
  return mask
}

function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Adds one to the count of every set bit, for all 32 bits at once: binary addition with carry. */
function vote(votes: Int32Array, bits: number): void {
  for (let plane = 0, carried = bits; carried !== 0; plane += 1) {
    const digits = votes[plane]!
    votes[plane] = digits ^ carried
    carried &= digits
  }
}

function winners(votes: Int32Array, voters: number): number {
  let bits = 0
  for (let bit = 0; bit < 32; bit += 1) {
    let count = 0
    for (let plane = 0; plane < planes; plane += 1) count += ((votes[plane]! >>> bit) & 1) << plane
    if (count * 2 > voters) bits |= 1 << bit
  }
  return bits >>> 0
}

function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
