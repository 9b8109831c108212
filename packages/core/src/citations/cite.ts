// Finds the passages of pages that claims are based on. Only passages that the pages contain are cited.
import { indexText, listLeafValues, type GroundedText, type TextSpan } from '@harvestman/asking'
import { makePause, type Pause } from '@harvestman/chunks'
import type { Json } from '@harvestman/ports'
import type { Citation, Claim } from '../schema/citation.ts'
import { passageAt } from './passage.ts'
import type { Statement } from './statements.ts'
import { citeSpan, type CitablePage } from './version.ts'

const maxClaims = 500
/** A shorter passage could be anywhere. */
const minQuote = 8
/** Maximum number of searches for values on pages, and of occurrences that are compared. */
const most = { searches: 5_000, occurrences: 5_000 }
/** Maximum number of characters of all pages that are indexed, in the order of the pages. */
const maxIndexed = 2_000_000
/** Cost of reading the sentences around an occurrence, in characters. */
const checkCost = 4_000

interface IndexedPage extends CitablePage {
  readonly index: GroundedText
}

/**
 * Cites the values of data, each once. Of the occurrences of a value, the one whose surroundings name its field best. After
 * 5,000 searches, values have no citations. Rejects when aborted.
 */
export async function citeValues(
  value: Json,
  pages: readonly CitablePage[],
  signal: AbortSignal,
): Promise<readonly Claim[]> {
  const pause = makePause(signal)
  const indexed = await indexPages(pages, pause)
  const left = { ...most }
  const claims: Claim[] = []
  for (const [pointer, leaf] of listLeafValues(value).slice(0, maxClaims)) {
    if (typeof leaf === 'object' || leaf === '') continue
    const found = await bestOccurrence(leaf, pointer, indexed, { left, pause })
    claims.push({ claim: leaf, pointer, citations: found ? [citeSpan(found.page, found.span)] : [] })
  }
  return claims
}

/** Cites statements with the passages that the model named for them. Rejects when aborted. */
export async function citeStatements(
  statements: readonly Statement[],
  pages: readonly CitablePage[],
  signal: AbortSignal,
): Promise<readonly Claim[]> {
  const pause = makePause(signal)
  const indexed = await indexPages(pages, pause)
  const claims: Claim[] = []
  for (const { text, quotes } of statements.slice(0, maxClaims)) {
    const citations = quotes.flatMap((quote) => citationOf(quote, indexed) ?? [])
    claims.push({ claim: text, citations: hasNumbers(text, citations) ? citations : [] })
    await pause(checkCost * (1 + citations.length))
  }
  return claims
}

async function indexPages(pages: readonly CitablePage[], pause: Pause): Promise<readonly IndexedPage[]> {
  const indexed: IndexedPage[] = []
  let left = maxIndexed
  for (const page of pages) {
    if (left <= 0) break
    const text = page.text.slice(0, left)
    left -= text.length
    indexed.push({ ...page, index: indexText(text) })
    await pause(text.length)
  }
  return indexed
}

function citationOf(quote: string, pages: readonly IndexedPage[]): Citation | undefined {
  if (quote.trim().length < minQuote) return undefined
  for (const page of pages) {
    const span = page.index.span(quote)
    if (span) return citeSpan(page, span)
  }
  return undefined
}

/** Returns whether the passages have all numbers of a statement, so that no number is cited that they do not have. */
function hasNumbers(text: string, citations: readonly Citation[]): boolean {
  const there = new Set(citations.flatMap(({ quote }) => numbersIn(quote).flat()))
  return numbersIn(text).every((values) => values.some((value) => there.has(value)))
}

const number = /(?:(?<![\p{L}\p{N}.,)\]])[-\u2212])?\d+(?:[.,'\u2019\u00a0\u202f]\d+)*/gu

/** Returns the possible values of each number: `1.500` is 1500 or 1.5. */
function numbersIn(text: string): readonly (readonly string[])[] {
  return (text.match(number) ?? []).map((written) => {
    const sign = /^\d/.test(written) ? '' : '-'
    const plain = written.slice(sign.length)
    const [, whole = '', decimals = ''] = /^(.*)[.,](\d+)$/.exec(plain) ?? []
    const values = [
      ...(isWhole(plain) ? [plain.replaceAll(/\D/g, '')] : []),
      ...(isWhole(whole) ? [`${whole.replaceAll(/\D/g, '')}.${decimals}`.replace(/\.?0+$/, '')] : []),
    ]
    return (values.length > 0 ? values : [plain]).map((value) => sign + value.replace(/^0+(?=\d)/, ''))
  })
}

/** Returns whether a number has no decimals: only groups of three digits, with the same separator. */
function isWhole(written: string): boolean {
  return /^(?:\d+|\d{1,3}([.,'\u2019\u00a0\u202f])\d{3}(?:\1\d{3})*)$/.test(written)
}

interface Occurrence {
  readonly page: IndexedPage
  readonly span: TextSpan
}

interface Work {
  readonly left: { searches: number; occurrences: number }
  readonly pause: Pause
}

async function bestOccurrence(
  value: Json,
  pointer: string,
  pages: readonly IndexedPage[],
  { left, pause }: Work,
): Promise<Occurrence | undefined> {
  const label = labelWords(pointer)
  let best: (Occurrence & { readonly score: number }) | undefined
  for (const page of pages) {
    if (left.searches <= 0) break
    left.searches -= 1
    await pause(page.text.length / 10)
    for (const span of page.index.findAll(value)) {
      const isScored = label.length > 0 && left.occurrences > 0
      const score = isScored ? scoreOf(page.text, span, label) : 0
      if (!best || score > best.score) best = { page, span, score }
      if (score === maxScore(label) || !isScored) return best
      left.occurrences -= 1
      await pause(checkCost)
    }
  }
  return best
}

const before = 100

/** Words in the same sentence count twice, words shortly before it once. */
function scoreOf(text: string, span: TextSpan, label: readonly string[]): number {
  const { from, to } = passageAt(text, span)
  const [around, sentence] = [
    text.slice(Math.max(0, from - before), from).toLowerCase(),
    text.slice(from, to).toLowerCase(),
  ]
  return label.reduce((sum, word) => sum + (sentence.includes(word) ? 2 : around.includes(word) ? 1 : 0), 0)
}

const maxScore = (label: readonly string[]): number => (label.length === 0 ? 0 : 2 * label.length)

/** Splits the last name of a JSON Pointer into words: `/lamps/0/netPrice` into `net` and `price`. */
function labelWords(pointer: string): readonly string[] {
  const name = pointer.split('/').findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? ''
  const words =
    name
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? []
  return [...new Set(words)].slice(0, 8)
}
