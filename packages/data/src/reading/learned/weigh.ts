// Weighs the results of alternatives and decides on a value.
import { isSameValue } from './ways.ts'
import type { Found, Outcome } from './locate.ts'
import type { Alternative, AlternativeKind, DoubtReason, Expected, LearnedScalar } from './types.ts'

const weights: Readonly<Record<AlternativeKind, number>> = {
  meta: 3,
  attribute: 3,
  heading: 2.5,
  label: 2.5,
  class: 2,
  id: 2,
  within: 1.5,
  near: 0.75,
}

/**
 * Returns the weight of an alternative, from its kind and how often it was right: about 0.2 to 16, where a value needs a
 * support of 2.5. It is higher if `words` matches the selector or label.
 */
export function weightOf(alternative: Alternative, words: RegExp = matchesNothing): number {
  const { by, pick, until, right, wrong, selector = '', label = '' } = alternative
  const record = right / (right + 2 * wrong) + Math.min(right - 1, maxConfirmed) * confirmed
  const isNamed = words.test(`${selector} ${label}`) ? named : 1
  return isNamed * weights[by] * (pick === 'first' ? 0.4 : 1) * (until === undefined ? 1 : 0.7) * record
}

/** Weight per further page where it was right, so that an unspecific alternative gains trust over time. */
const confirmed = 0.3
const maxConfirmed = 10
/** Factor if the selector or label names the field, as `.author` for `author`. */
const named = 1.3
const matchesNothing = /(?!)/
const meanings: readonly (readonly string[])[] = [
  ['author', 'byline', 'writer', 'by'],
  ['title', 'headline', 'name', 'heading'],
  ['date', 'published', 'posted', 'time', 'day'],
  ['price', 'cost', 'amount'],
  ['brand', 'maker', 'manufacturer'],
  ['sku', 'article', 'code', 'item'],
  ['rating', 'score', 'stars'],
]

const knownWords = new Map<string, RegExp>()
const maxCached = 1_000

/**
 * Returns a pattern that matches names which pages use for the field at a JSON Pointer, such as `byline` for `/author`. It
 * matches nothing if the field's name has no word of at least 3 characters.
 */
export function wordsFor(pointer: string): RegExp {
  const known = knownWords.get(pointer)
  if (known) return known
  if (knownWords.size >= maxCached) knownWords.clear()
  const words = wordsOfField(pointer)
  knownWords.set(pointer, words)
  return words
}

function wordsOfField(pointer: string): RegExp {
  const own = (pointer.split('/').at(-1) ?? '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
  const all = meanings.filter((words) => words.some((word) => own.includes(word))).flat()
  const words = [...new Set([...own, ...all])]
  return words.length === 0 ? matchesNothing : new RegExp(`(?<![a-z])(?:${words.join('|')})`, 'i')
}

/**
 * Minimum weight for a value, and its minimum share of the total. `maxAgainst` is the maximum weight of other results,
 * relative to it.
 */
const least = { support: 2.5, part: 0.3 } as const
const maxAgainst = 0.25

/** Weight of an alternative that used to find one value and now finds several. It counts against each value. */
const ofSeveral = 0.5

/** The result of one alternative. */
export interface Vote {
  readonly alternative: Alternative
  readonly found: Outcome
}

interface WeighedVote extends Vote {
  readonly weight: number
}

interface FoundVote extends WeighedVote {
  readonly found: Found
}

/** Number of alternatives that matched on all known pages, and how many of them still match. */
export interface Stability {
  readonly still: number
  readonly of: number
}

/** The value that the alternatives agree on, or why there is none. */
export type Verdict =
  | { readonly found: Found; readonly agreed: number; readonly selector: string; readonly stability: Stability }
  | { readonly doubt: DoubtReason }

/** Returns the value with the most support among the alternatives and how many agree on it, or the reason for doubting it. */
export function decide(given: readonly Vote[], expected: Expected, words?: RegExp): Verdict {
  const votes = given.map((vote) => ({ ...vote, weight: weightOf(vote.alternative, words) }))
  const weighed = groupsOf(votes).map((own) => ({ own, weight: supportOf(own) }))
  const [best, ...others] = weighed.toSorted((one, other) => other.weight - one.weight)
  if (!best || isSilent(votes)) return { doubt: 'not found' }
  const against =
    others.reduce((sum, { weight }) => sum + weight, 0) +
    ofSeveral * together(weightsOf(votes, 'several')) +
    together(weightsOf(votes, 'empty'))
  if (against > best.weight * maxAgainst) return { doubt: 'disagreement' }
  if (best.weight < least.support || sumOf(best.own) < sumOf(votes) * least.part)
    return { doubt: 'too little agreement' }
  const [{ alternative, found }] = best.own as [FoundVote]
  if (!isExpected(found.value, expected)) return { doubt: 'unexpected' }
  return {
    found,
    agreed: best.own.length,
    selector: alternative.selector ?? `"${alternative.label ?? ''}"`,
    stability: stabilityOf(votes),
  }
}

/** Groups the alternatives by the value they found. */
function groupsOf(votes: readonly WeighedVote[]): readonly (readonly FoundVote[])[] {
  const groups: FoundVote[][] = []
  for (const { alternative, found, weight } of votes) {
    if (typeof found !== 'object') continue
    const group = groups.find(([first]) => isSameValue(first!.found.value, found.value))
    if (group) group.push({ alternative, found, weight })
    else groups.push([{ alternative, found, weight }])
  }
  return groups
}

function weightsOf(votes: readonly WeighedVote[], outcome: Outcome): readonly number[] {
  return votes.filter(({ found }) => found === outcome).map(({ weight }) => weight)
}

/**
 * Whether the page lacks the value. True if all alternatives that reliably found nothing on known pages without it find nothing
 * here, unless alternatives of comparable weight find something.
 */
function isSilent(votes: readonly WeighedVote[]): boolean {
  const tellers = votes.filter(
    ({ alternative: { silent = 0, invented = 0, none } }) => silent > 0 && invented === 0 && none === 0,
  )
  const support = sumOf(tellers)
  if (support < least.support || tellers.some(({ found }) => isFound(found))) return false
  const others = votes.filter(({ alternative: { invented = 0 }, found }) => isFound(found) && invented === 0)
  return sumOf(others) <= support * maxOthers
}

/** Maximum weight of alternatives that still find something, relative to the ones that reliably find nothing. */
const maxOthers = 0.5

const isFound = (found: Outcome): boolean => found !== undefined && found !== 'empty'

function stabilityOf(votes: readonly Vote[]): Stability {
  const always = votes.filter(({ alternative }) => alternative.none === 0)
  return { still: always.filter(({ found }) => isFound(found)).length, of: always.length }
}

const sumOf = (votes: readonly WeighedVote[]): number => votes.reduce((sum, { weight }) => sum + weight, 0)

/** Weight factor of further alternatives at the same position, because they fail together. */
const further = 0.25

/** Returns the support for a value: the best alternative at each position counts fully, the others in part. */
function supportOf(votes: readonly FoundVote[]): number {
  const places = new Map<number, number[]>()
  for (const { weight, found } of votes) {
    const weights = places.get(found.place) ?? []
    weights.push(weight)
    places.set(found.place, weights)
  }
  return [...places.values()].reduce((sum, weights) => sum + together(weights), 0)
}

/** Returns the highest weight plus a fraction of the others. */
function together(weights: readonly number[]): number {
  const best = Math.max(0, ...weights)
  return best + further * (weights.reduce((all, one) => all + one, 0) - best)
}

const shortText = 40
/** Values with this many words count as sentences, whose digits and punctuation are not checked. */
const sentence = 4
const defaultDecimals = 2

/**
 * Returns whether a string resembles the known ones in length, digits and punctuation, or whether a number has no more
 * decimals than they have (2 are always allowed).
 */
export function isExpected(value: LearnedScalar, expected: Expected): boolean {
  const { minLength, maxLength, maxWords, digits, signs, decimals } = expected
  if (typeof value !== 'string') return shapeOf(value).decimals <= Math.max(decimals, defaultDecimals)
  if (value.length > maxLength * 4 + 10 || value.length < minLength / 5) return false
  if (maxLength > shortText || maxWords >= sentence) return true
  const own = shapeOf(value)
  if (own.words > maxWords + Math.max(2, maxWords / 2) || (own.signs && !signs && maxWords < 6)) return false
  return digits === undefined || own.digits === digits
}

function shapeOf(value: LearnedScalar) {
  const text = String(value)
  const decimals = typeof value === 'number' ? (text.split('.')[1]?.length ?? 0) : 0
  return { words: text.split(/\s+/).length, signs: /[,;:|•·–—(]/.test(text), digits: /\d/.test(text), decimals }
}

/** Returns the expectations updated by one more value, or by a page without one (`undefined`). */
export function expectedAfter(before: Expected | undefined, value: LearnedScalar | undefined): Expected {
  if (value === undefined) return { ...(before ?? nothing), absent: (before?.absent ?? 0) + 1 }
  const { length } = String(value)
  const { words, signs, digits, decimals } = shapeOf(value)
  const { seen, absent, digits: known, ...rest } = before ?? nothing
  return {
    minLength: seen === 0 ? length : Math.min(rest.minLength, length),
    maxLength: Math.max(rest.maxLength, length),
    maxWords: Math.max(rest.maxWords, words),
    signs: rest.signs || signs,
    decimals: Math.max(rest.decimals, decimals),
    ...((seen === 0 || known === digits) && { digits }),
    seen: seen + 1,
    absent,
  }
}

const nothing: Expected = { minLength: 0, maxLength: 0, maxWords: 0, signs: false, decimals: 0, seen: 0, absent: 0 }
