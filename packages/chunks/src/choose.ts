import { makePause } from './pauses.ts'

// Which chunks to return if there is a budget for all of them together.

/** A candidate chunk. */
interface Candidate {
  readonly text: string
  readonly headings: readonly string[]
  readonly size: number
  /** Number of its document, if there are several. */
  readonly document?: number
  /** A part that is returned once for all candidates with the same key, such as the head of a table, and its size. */
  readonly shared?: { readonly key: string; readonly size: number } | undefined
}

// The parameters of BM25 that search engines use.
const saturation = 1.2
const lengthShare = 0.75
const headingWeight = 2
const maxTerms = 64
const maxWords = 2_000

/**
 * Returns the candidates that fit into the budget together, in their order: the best matches for the query, and then the
 * beginnings of sections, the upper levels before the lower ones. A candidate that is too large for the rest of the budget is
 * omitted for smaller ones. Rejects when aborted.
 */
export async function choose<One extends Candidate>(
  all: readonly One[],
  { budget, query = '' }: { readonly budget: number; readonly query?: string | undefined },
  signal: AbortSignal,
): Promise<readonly One[]> {
  const scores = await scoresOf(all, query, signal)
  const ranks = outlineRanks(all)
  const compared = (a: number, b: number): number =>
    (scores[b] ?? 0) - (scores[a] ?? 0) || (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b
  const byScore = all.map((_, index) => index).toSorted(compared)
  const chosen = new Set<number>()
  const shown = new Set<string>()
  let left = budget
  for (const index of byScore) {
    const { size = 0, shared } = all[index] ?? {}
    const sum = shared && !shown.has(shared.key) ? size + shared.size : size
    if (sum > left) continue
    left -= sum
    chosen.add(index)
    if (shared) shown.add(shared.key)
  }
  return all.filter((_, index) => chosen.has(index))
}

// More levels of headings than a document has.
const maxLevels = 16

/** Ranks each candidate by its number in its section, and then by the level of the section. */
function outlineRanks(all: readonly Candidate[]): readonly number[] {
  const counts = new Map<string, number>()
  return all.map(({ headings, document = 0 }) => {
    const section = `${document} ${JSON.stringify(headings)}`
    const before = counts.get(section) ?? 0
    counts.set(section, before + 1)
    return before * maxLevels + Math.min(headings.length, maxLevels - 1)
  })
}

/**
 * Returns the score of each candidate for a query (BM25). Words in its headings count twice. Of a long query, the words count that
 * are in the fewest candidates.
 */
async function scoresOf(all: readonly Candidate[], query: string, signal: AbortSignal): Promise<readonly number[]> {
  const words = [...new Set(wordsOf(query))].slice(0, maxWords)
  if (words.length === 0) return all.map(() => 0)
  const pause = makePause(signal)
  const counts: ReadonlyMap<string, number>[] = []
  const lengths: number[] = []
  for (const { text, headings } of all) {
    const all = countsOf(wordsOf(text))
    for (const word of wordsOf(headings.join(' '))) all.set(word, (all.get(word) ?? 0) + headingWeight)
    // Only the words of the query, because all words of a long document would take much memory.
    counts.push(new Map(words.flatMap((word) => (all.has(word) ? [[word, all.get(word) ?? 0]] : []))))
    lengths.push([...all.values()].reduce((sum, one) => sum + one, 0))
    await pause(text.length)
  }
  const mean = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
  const weights = rarestOf(counts)
  return counts.map((count, index) => {
    const norm = saturation * (1 - lengthShare + (lengthShare * (lengths[index] ?? 0)) / Math.max(1, mean))
    let sum = 0
    for (const [word, times] of count) sum += ((weights.get(word) ?? 0) * times * (saturation + 1)) / (times + norm)
    return sum
  })
}

/** Returns the words that are in the fewest candidates, with their weights. */
function rarestOf(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const having = countsOf(counts.flatMap((count) => [...count.keys()]))
  const rarest = [...having].toSorted(([, a], [, b]) => a - b).slice(0, maxTerms)
  return new Map(rarest.map(([word, times]) => [word, Math.log(1 + (counts.length - times + 0.5) / (times + 0.5))]))
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Splits a string into words without case and accents. In scripts without spaces, each two characters are a word. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    if (!withoutSpaces.test(word)) return [word]
    const signs = Array.from(word)
    return signs.length === 1 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
  })
}
