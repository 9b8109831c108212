// How much an alternative says, and what follows when alternatives agree or do not.
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

/** What an alternative adds to its value: by its kind, and by what it was right about. */
export function weightOf(alternative: Alternative, words: RegExp = nothingSaid): number {
  const { by, pick, until, right, wrong, selector = '', label = '' } = alternative
  const record = right / (right + 2 * wrong) + Math.min(right - 1, mostConfirmed) * confirmed
  const isNamed = words.test(`${selector} ${label}`) ? named : 1
  return isNamed * weights[by] * (pick === 'first' ? 0.4 : 1) * (until === undefined ? 1 : 0.7) * record
}

/** What each further page adds on which it was right: a weak name that is always right is enough in the end. */
const confirmed = 0.3
const mostConfirmed = 10
/** What a name adds that says what the field is: `.author` for `author`. */
const named = 1.3
const nothingSaid = /(?!)/
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
const mostKnown = 1_000

/** The words that a page may have for a field. */
export function wordsFor(pointer: string): RegExp {
  const known = knownWords.get(pointer)
  if (known) return known
  if (knownWords.size >= mostKnown) knownWords.clear()
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
  return words.length === 0 ? nothingSaid : new RegExp(`(?<![a-z])(?:${words.join('|')})`, 'i')
}

/** The least that must speak for a value, all that speaks against it, and its part of all that could speak. */
const least = { support: 2.5, part: 0.3 } as const
const mostAgainst = 0.25

/** A name that was of one value and is of several now says something against each. */
const ofSeveral = 0.5

/** What one alternative found. */
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

/** How many alternatives that have always found something there are, and how many of them did so again. */
export interface Kept {
  readonly still: number
  readonly of: number
}

/** The value that the alternatives agree on, or why there is none. */
export type Verdict =
  | { readonly found: Found; readonly agreed: number; readonly selector: string; readonly kept: Kept }
  | { readonly doubt: DoubtReason }

/** Decides between what the alternatives of a field found. */
export function decide(given: readonly Vote[], expected: Expected, words?: RegExp): Verdict {
  const votes = given.map((vote) => ({ ...vote, weight: weightOf(vote.alternative, words) }))
  const weighed = groupsOf(votes).map((own) => ({ own, weight: supportOf(own) }))
  const [best, ...others] = weighed.toSorted((one, other) => other.weight - one.weight)
  if (!best || isSilent(votes)) return { doubt: 'not found' }
  const against =
    others.reduce((sum, { weight }) => sum + weight, 0) +
    ofSeveral * together(weightsOf(votes, 'several')) +
    together(weightsOf(votes, 'empty'))
  if (against > best.weight * mostAgainst) return { doubt: 'disagreement' }
  if (best.weight < least.support || sumOf(best.own) < sumOf(votes) * least.part)
    return { doubt: 'too little agreement' }
  const [{ alternative, found }] = best.own as [FoundVote]
  if (!isExpected(found.value, expected)) return { doubt: 'unexpected' }
  return {
    found,
    agreed: best.own.length,
    selector: alternative.selector ?? `"${alternative.label ?? ''}"`,
    kept: keptOf(votes),
  }
}

/** Those that found the same value together. */
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
 * Whether the page does not have the value: all find nothing that found nothing on the answered pages without it, and the
 * value on all others. What else says something has done so on such pages, or weighs less.
 */
function isSilent(votes: readonly WeighedVote[]): boolean {
  const tellers = votes.filter(
    ({ alternative: { silent = 0, invented = 0, none } }) => silent > 0 && invented === 0 && none === 0,
  )
  const support = sumOf(tellers)
  if (support < least.support || tellers.some(({ found }) => isSaid(found))) return false
  const others = votes.filter(({ alternative: { invented = 0 }, found }) => isSaid(found) && invented === 0)
  return sumOf(others) <= support * mostBeside
}

/** The most that may say something where others say that there is nothing, as a part of these. */
const mostBeside = 0.5

const isSaid = (found: Outcome): boolean => found !== undefined && found !== 'empty'

function keptOf(votes: readonly Vote[]): Kept {
  const always = votes.filter(({ alternative }) => alternative.none === 0)
  return { still: always.filter(({ found }) => isSaid(found)).length, of: always.length }
}

const sumOf = (votes: readonly WeighedVote[]): number => votes.reduce((sum, { weight }) => sum + weight, 0)

/** What further names of one place add: they fail together. */
const further = 0.25

/** What speaks for a value: the best name of each place where it stands, and a little of the others. */
function supportOf(votes: readonly FoundVote[]): number {
  const places = new Map<number, number[]>()
  for (const { weight, found } of votes) {
    const weights = places.get(found.place) ?? []
    weights.push(weight)
    places.set(found.place, weights)
  }
  return [...places.values()].reduce((sum, weights) => sum + together(weights), 0)
}

/** The best of what fails together, and a little of the others. */
function together(weights: readonly number[]): number {
  const best = Math.max(0, ...weights)
  return best + further * (weights.reduce((all, one) => all + one, 0) - best)
}

const shortText = 40
/** As many words are a sentence, where digits and signs say nothing. */
const sentence = 4
const usualDecimals = 2

/** Whether a value looks like those that were answered. */
export function isExpected(value: LearnedScalar, expected: Expected): boolean {
  const { minLength, maxLength, maxWords, digits, signs, decimals } = expected
  if (typeof value !== 'string') return shapeOf(value).decimals <= Math.max(decimals, usualDecimals)
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

/** What values are expected to look like, after one more. */
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
