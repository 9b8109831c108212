/**
 * What a text is about, in 64 bits: texts of nearly the same words differ in few bits, others in about half (simhash).
 * Numbers do not count, so pages that differ only in a date or a counter have the same.
 */
export interface Fingerprint {
  readonly high: number
  readonly low: number
}

/** Fewer words than this say nothing: all pages of a gallery would be one. */
const fewestWords = 16
/** Longer texts are judged by their middle: at its ends a page says what all pages of its site say. */
const longestText = 10_000
/** Of more words than this a part is counted, chosen by the words themselves: the same words in every text. */
const manyWords = 256

// Filled anew for each text.
const words = new Int32Array(longestText)
// The votes for 32 bits, written as columns of binary digits: plane 0 holds the last digit of each count, and so on.
const planes = Math.ceil(Math.log2(longestText + 1))
const low = new Int32Array(planes)
const high = new Int32Array(planes)

/** No honest link is longer. */
const longestLink = 2_048

/** Absent when the text is too short to be told from others. */
export function fingerprint(text: string): Fingerprint | undefined {
  const start = Math.max(0, (text.length - longestText) >> 1)
  const count = hashWords(text, start, Math.min(text.length, start + longestText))
  if (count < fewestWords) return undefined
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

/** In how many of 64 bits two texts differ. */
export function distance(one: Fingerprint, other: Fingerprint): number {
  return countBits(one.high ^ other.high) + countBits(one.low ^ other.low)
}

/**
 * How many words there are, with one number for each in `words`: letters in a row, or one sign of a script that writes without blanks. Where the links of
 * Markdown lead is passed over: pages of a trap say the same and lead on to ever new addresses.
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

/** Where the closing parenthesis is; what has none near is text. */
function endOfLink(text: string, start: number): number {
  const end = text.indexOf(')', start)
  return end < 0 || end > start + longestLink ? start : end
}

/** Beyond ASCII: all but the signs of Latin-1, general punctuation, and the punctuation of East Asia. */
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

/** Adds one to the count of every bit that is set: all 32 at once, digit by digit with what is carried. */
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
