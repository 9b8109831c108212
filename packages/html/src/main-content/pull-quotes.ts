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
  const text = textApartFrom(blocks, included)
  for (const i of quotes) {
    const quote = withoutMarks(blockText(blocks, i))
    if (quote !== '' && text.includes(quote)) included[i] = 0
  }
}

/** Returns the included text that is not set apart. */
function textApartFrom(blocks: Blocks, included: Uint8Array): string {
  const parts: string[] = []
  let chars = 0
  for (let i = 0; i < blocks.count && chars < limits.chars; i++) {
    const words = blocks.table.data[i * blockWidth + block.words]!
    if (included[i] === 0 || words < limits.minWords || isWithin(blocks, i, apart)) continue
    const text = blockText(blocks, i)
    chars += text.length
    parts.push(text)
  }
  return parts.join('\n')
}

const letterOrDigit = /[\p{L}\p{N}]/u

/** Removes punctuation at both ends. A pattern for the end would take quadratic time for a run of punctuation. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && !letterOrDigit.test(text[start]!)) start++
  while (end > start && !letterOrDigit.test(text[end - 1]!)) end--
  return text.slice(start, end)
}
