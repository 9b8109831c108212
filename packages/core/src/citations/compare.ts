// Compares citations with the present version of their page.
import { indexText, type GroundedText, type TextSpan } from '@harvestman/asking'
import { makePause, wordsOf } from '@harvestman/chunks'
import type { Citation } from '../schema/citation.ts'
import { isPassage, passageAt, sentencesIn } from './passage.ts'
import { citablePage, citeRange, type CitablePage } from './version.ts'

/** What became of a quote: the same place, another place, another text, or nothing. `now` cites the present passage. */
export type Comparison =
  | { readonly status: 'unchanged' | 'moved' | 'changed'; readonly now: Citation }
  | { readonly status: 'gone' }

/** The part of a citation that is compared. */
export type Quoted = Pick<Citation, 'quote' | 'start' | 'end'>

const maxText = 1_000_000
const maxOccurrences = 50
const maxSentences = 5
/** Numbers count less than other words, because they are what changes most. */
const numberWeight = 0.3
const minSimilarity = 0.5

/**
 * Compares citations of a page with its present Markdown, of which the first million characters count. A passage that
 * shares at least half of its words with a quote is the changed quote, unless it is the passage of another citation. Rejects
 * when aborted.
 */
export async function compareCitations(
  citations: readonly Quoted[],
  present: { readonly url: string; readonly markdown: string },
  signal: AbortSignal,
): Promise<readonly Comparison[]> {
  const page = await citablePage({ ...present, length: maxText }, signal)
  const index = indexText(page.text)
  const pause = makePause(signal)
  const found: (TextSpan | undefined)[] = []
  for (const one of citations) {
    found.push(findQuote(one, page, index))
    await pause(one.quote.length + page.text.length / 50)
  }
  const taken = new Set(found.flatMap((span) => (span ? [span.from] : [])))
  const closest = found.includes(undefined) ? await closestIn(page, taken, pause) : undefined
  const results: Comparison[] = []
  for (const [at, one] of citations.entries()) {
    const span = found[at]
    const similar = span ? undefined : await closest?.(one)
    if (span) results.push({ status: span.from === one.start ? 'unchanged' : 'moved', now: citeRange(page, span) })
    else results.push(similar ? { status: 'changed', now: citeRange(page, similar) } : { status: 'gone' })
  }
  return results
}

/** Returns the place of a quote: where it was, or the nearest other one. */
function findQuote({ quote, start, end }: Quoted, { text }: CitablePage, index: GroundedText): TextSpan | undefined {
  const same = { from: start, to: end }
  if (text.slice(start, end) === quote && isPassage(text, same)) return same
  const found: TextSpan[] = []
  for (let at = text.indexOf(quote), count = 0; at >= 0 && count < maxOccurrences; count += 1) {
    found.push({ from: at, to: at + quote.length })
    at = text.indexOf(quote, at + 1)
  }
  const exact = found.filter((span) => isPassage(text, span))
  const all = exact.length > 0 ? exact : otherwiseFormatted(quote, text, index)
  return all.toSorted((one, other) => far(one, start) - far(other, start))[0]
}

/** Returns the passages that differ from a quote only in formatting, case or punctuation. */
function otherwiseFormatted(quote: string, text: string, index: GroundedText): readonly TextSpan[] {
  const words = wordsOf(quote).join(' ')
  return index
    .findAll(quote)
    .map((span) => passageAt(text, span))
    .filter(({ from, to }) => wordsOf(text.slice(from, to)).join(' ') === words)
}

const far = ({ from }: TextSpan, start: number): number => Math.abs(from - start)

type Closest = (quoted: Quoted) => Promise<TextSpan | undefined>

/** Returns a function that finds the passage of a page that has most words of a quote. */
async function closestIn(
  { text }: CitablePage,
  taken: ReadonlySet<number>,
  pause: ReturnType<typeof makePause>,
): Promise<Closest> {
  const sentences: (TextSpan & { readonly weight: number })[] = []
  const having = new Map<string, number[]>()
  for (const { from, to } of sentencesIn(text, { from: 0, to: text.length })) {
    const words = new Set(taken.has(from) ? [] : wordsOf(text.slice(from, to)))
    for (const word of words) {
      const places = having.get(word)
      if (places) places.push(sentences.length)
      else having.set(word, [sentences.length])
    }
    sentences.push({ from, to, weight: weightOf(words) })
    await pause(to - from)
  }
  return async ({ quote, start }) => {
    const words = new Set(wordsOf(quote))
    const shared = new Map<number, number>()
    for (const word of words) {
      const places = having.get(word) ?? []
      for (const at of places) shared.set(at, (shared.get(at) ?? 0) + weightOf([word]))
      await pause(places.length)
    }
    await pause(10 * shared.size)
    const length = Math.min(maxSentences, [...sentencesIn(quote, { from: 0, to: quote.length })].length)
    let best: (TextSpan & { readonly similarity: number }) | undefined
    for (const first of shared.keys()) {
      const part = sentences.slice(first, first + length)
      const common = part.reduce((sum, _, step) => sum + (shared.get(first + step) ?? 0), 0)
      const weight = part.reduce((sum, one) => sum + one.weight, weightOf(words))
      const similarity = weight === 0 ? 0 : (2 * common) / weight
      const span = { from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? 0, similarity }
      const isBetter = !best || similarity > best.similarity
      if (isBetter || (similarity === best?.similarity && far(span, start) < far(best, start))) best = span
    }
    return best && best.similarity >= minSimilarity ? best : undefined
  }
}

function weightOf(words: Iterable<string>): number {
  let sum = 0
  for (const word of words) sum += /^\p{N}+$/u.test(word) ? numberWeight : 1
  return sum
}
