// Compares citations with the present version of their page.
import { indexText, type GroundedText, type TextSpan } from '@harvestman/asking'
import { makePause, wordsOf, type Pause } from '@harvestman/chunks'
import type { Citation } from '../schema/citation.ts'
import { isPassage, passageAt, sentencesIn } from './passage.ts'
import { citablePage, citeRange, type CitablePage, type CitedMarkdown } from './version.ts'

/** What became of a quote: the same place, another place, another text, or nothing. `now` cites the present passage. */
export type Comparison =
  | { readonly status: 'unchanged' | 'moved' | 'changed'; readonly now: Citation }
  | { readonly status: 'gone' }

/** The part of a citation that is compared. */
export type Quoted = Pick<Citation, 'quote' | 'start' | 'end'> & { readonly hash?: Citation['hash'] | undefined }

const maxText = 1_000_000
const maxOccurrences = 20
/** Size of the part of the page that is searched for changed quotes, in characters. It begins shortly before the first of them. */
const maxSearched = 200_000
/** Maximum number of word lookups per quote. */
const maxLookups = 50_000
/** Cost of reading the sentences around a place, in characters. */
const checkCost = 4_000
const maxSentences = 5
/** Numbers count less than other words, because they are what changes most. */
const numberWeight = 0.3
const minSimilarity = 0.5

/**
 * Compares citations of a page with its present Markdown, of which the first million characters count. A passage that
 * shares at least half of its words with a quote is the changed quote, unless it is the passage of another citation. Such
 * passages, and those with other formatting, are only found in 200,000 characters, from shortly before the first citation
 * whose quote is gone. Rejects when aborted.
 */
export async function compareCitations(
  citations: readonly Quoted[],
  present: Omit<CitedMarkdown, 'length'>,
  signal: AbortSignal,
): Promise<readonly Comparison[]> {
  const page = await citablePage({ ...present, length: maxText }, signal)
  const pause = makePause(signal)
  const found: (TextSpan | undefined)[] = []
  for (const one of citations) found.push(await findQuote(one, page, pause))
  const range = searchedRange(
    page.text,
    citations.filter((_, at) => !found[at]),
  )
  if (range) {
    const index = indexText(page.text.slice(range.from, range.to))
    await pause(range.to - range.from)
    for (const [at, one] of citations.entries())
      found[at] ??= await otherwiseFormatted(one, page.text, { index, from: range.from, pause })
  }
  const taken = new Set(found.flatMap((span) => (span ? [span.from] : [])))
  const closest = range && found.includes(undefined) ? await closestIn(page.text, range, taken, pause) : undefined
  const results: Comparison[] = []
  for (const [at, one] of citations.entries()) {
    const span = found[at]
    const similar = span ? undefined : await closest?.(one)
    if (span) results.push({ status: span.from === one.start ? 'unchanged' : 'moved', now: citeRange(page, span) })
    else results.push(similar ? { status: 'changed', now: citeRange(page, similar) } : { status: 'gone' })
  }
  return results
}

/** Returns the range in which passages similar to these quotes are searched. */
function searchedRange(text: string, missing: readonly Quoted[]): TextSpan | undefined {
  if (missing.length === 0) return undefined
  const first = Math.min(...missing.map(({ start }) => start)) - maxSearched / 10
  const from = Math.max(0, Math.min(first, text.length - maxSearched))
  return { from, to: Math.min(text.length, from + maxSearched) }
}

/** Returns the place of a quote: where it was, or the nearest other one. */
async function findQuote(
  { quote, start, end, hash }: Quoted,
  { text, version }: CitablePage,
  pause: Pause,
): Promise<TextSpan | undefined> {
  const same = { from: start, to: end }
  await pause(checkCost + text.length / 50)
  if (text.slice(start, end) === quote && (hash === version.hash || isPassage(text, same))) return same
  let best: TextSpan | undefined
  for (let at = text.indexOf(quote), count = 0; at >= 0 && count < maxOccurrences; count += 1) {
    const span = { from: at, to: at + quote.length }
    if ((!best || far(span, start) < far(best, start)) && isPassage(text, span)) best = span
    at = text.indexOf(quote, at + 1)
    await pause(checkCost)
  }
  return best
}

interface Searched {
  readonly index: GroundedText
  /** Where the indexed text begins. */
  readonly from: number
  readonly pause: Pause
}

/** Returns the nearest passage that differs from a quote only in formatting, case or punctuation. */
async function otherwiseFormatted(
  { quote, start }: Quoted,
  text: string,
  { index, from, pause }: Searched,
): Promise<TextSpan | undefined> {
  const words = wordsOf(quote).join(' ')
  let best: TextSpan | undefined
  await pause(checkCost)
  for (const found of index.findAll(quote)) {
    const span = passageAt(text, { from: from + found.from, to: from + found.to })
    const isNearer = !best || far(span, start) < far(best, start)
    if (isNearer && wordsOf(text.slice(span.from, span.to)).join(' ') === words) best = span
    await pause(checkCost)
  }
  return best
}

const far = ({ from }: TextSpan, start: number): number => Math.abs(from - start)

type Closest = (quoted: Quoted) => Promise<TextSpan | undefined>

interface Sentence extends TextSpan {
  readonly words: ReadonlySet<string>
  readonly weight: number
}

/** Returns a function that finds the passage of a range that has most words of a quote. Passages with rare words count first. */
async function closestIn(text: string, range: TextSpan, taken: ReadonlySet<number>, pause: Pause): Promise<Closest> {
  const sentences: Sentence[] = []
  const having = new Map<string, number[]>()
  for (const { from, to } of sentencesIn(text, range)) {
    const words = new Set(taken.has(from) ? [] : wordsOf(text.slice(from, to)))
    for (const word of words) {
      const places = having.get(word)
      if (places) places.push(sentences.length)
      else having.set(word, [sentences.length])
    }
    sentences.push({ from, to, words, weight: weightOf(words) })
    // Each segmented line costs much more than its characters.
    await pause(100 + to - from)
  }
  return async ({ quote, start }) => {
    const words = new Set(wordsOf(quote))
    const length = Math.min(maxSentences, [...sentencesIn(quote, { from: 0, to: quote.length })].length)
    const cost = length * words.size
    const most = Math.max(10, Math.floor(maxLookups / Math.max(1, cost)))
    const own = weightOf(words)
    let best: (TextSpan & { readonly similarity: number }) | undefined
    for (const first of candidatesOf(words, having, most)) {
      const part = sentences.slice(first, first + length)
      const common = part.reduce((sum, one) => sum + weightOf([...words].filter((word) => one.words.has(word))), 0)
      const weight = part.reduce((sum, one) => sum + one.weight, own)
      const similarity = weight === 0 ? 0 : (2 * common) / weight
      const span = { from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? 0, similarity }
      const isBetter = !best || similarity > best.similarity
      if (isBetter || (similarity === best?.similarity && far(span, start) < far(best, start))) best = span
      await pause(20 * cost)
    }
    return best && best.similarity >= minSimilarity ? best : undefined
  }
}

/** Returns up to `most` sentences that have a word, those with the rarest words first. */
function candidatesOf(
  words: ReadonlySet<string>,
  having: ReadonlyMap<string, readonly number[]>,
  most: number,
): ReadonlySet<number> {
  const candidates = new Set<number>()
  const lists = [...words].map((word) => having.get(word) ?? [])
  for (const places of lists.toSorted((one, other) => one.length - other.length))
    for (const at of places) {
      if (candidates.size >= most) return candidates
      candidates.add(at)
    }
  return candidates
}

function weightOf(words: Iterable<string>): number {
  let sum = 0
  for (const word of words) sum += /^\p{N}+$/u.test(word) ? numberWeight : 1
  return sum
}
