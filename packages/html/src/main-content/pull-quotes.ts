// Pull quotes: sentences of an article that are shown again outside its paragraphs.
import { block, blockText, blockWidth, type Blocks } from './block-table.ts'
import { columnsOf, isWithin } from './furniture.ts'

const apart = columnsOf('aside', 'blockquote', 'figure')
const limits = { minWords: 6, maxWords: 60, quoteChars: 500, candidates: 40, chars: 500_000 } as const

/** Removes pull quotes from `included`, which has 1 for each included block. */
export function removePullQuotes(blocks: Blocks, included: Uint8Array): void {
  const { data } = blocks.table
  const quotes: number[] = []
  for (let i = 0; i < blocks.count && quotes.length < limits.candidates; i++) {
    const words = data[i * blockWidth + block.words]!
    if (included[i] === 0 || words < limits.minWords || words > limits.maxWords) continue
    if (data[i * blockWidth + block.chars]! > limits.quoteChars) continue
    if (isWithin(blocks, i, apart)) quotes.push(i)
  }
  if (quotes.length === 0) return
  const texts = textsApartFrom(blocks, included)
  passages.fill(0)
  for (const text of texts) markPassages(text)
  for (const i of quotes) {
    const quote = withoutMarks(blockText(blocks, i))
    if (quote === '' || !mayBePassage(quote)) continue
    if (texts.some((text) => text.includes(quote))) included[i] = 0
  }
}

// A filter for `mayBePassage`: the bit of each run of 8 characters in the texts. Reused for each page.
const passages = new Int32Array(8_192)
const runLength = 8
const runBits = 32 / runLength

/** Adds the next character to a key, which depends on the last 8 characters only. */
const nextKey = (key: number, code: number): number => (key << runBits) ^ code

/** Returns the index of a key among the bits of the filter. */
const bitOf = (key: number): number => Math.imul(key ^ (key >>> 15), 0x9e3779b1) >>> 14

function markPassages(text: string): void {
  let key = 0
  for (let i = 0; i < text.length; i++) {
    key = nextKey(key, text.charCodeAt(i))
    const bit = bitOf(key)
    passages[bit >>> 5]! |= 1 << (bit & 31)
  }
}

/** Returns `false` for most strings that no marked text contains. That is faster than a search for each of them. */
function mayBePassage(quote: string): boolean {
  let key = 0
  for (let i = 0; i < quote.length; i++) {
    key = nextKey(key, quote.charCodeAt(i))
    const bit = bitOf(key)
    if (i >= runLength - 1 && (passages[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
  }
  return true
}

/** Returns the included texts that are not set apart, up to about 500,000 characters. */
function textsApartFrom(blocks: Blocks, included: Uint8Array): string[] {
  const texts: string[] = []
  let chars = 0
  for (let i = 0; i < blocks.count && chars < limits.chars; i++) {
    const words = blocks.table.data[i * blockWidth + block.words]!
    if (included[i] === 0 || words < limits.minWords || isWithin(blocks, i, apart)) continue
    const text = blockText(blocks, i)
    chars += text.length
    texts.push(text)
  }
  return texts
}

const letterOrDigit = /[\p{L}\p{N}]/u

/** Removes punctuation at both ends. A pattern for the end would take quadratic time for a run of punctuation. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && !letterOrDigit.test(text[start]!)) start++
  while (end > start && !letterOrDigit.test(text[end - 1]!)) end--
  return text.slice(start, end)
}
