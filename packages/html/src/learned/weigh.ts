// How much an alternative says, and what follows when alternatives agree or do not.
import { isSameValue } from './ways.ts'
import type { Found } from './locate.ts'
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
export function weightOf({ by, pick, until, right, wrong }: Alternative): number {
  const record = right / (right + 2 * wrong) + Math.min(right - 1, 4) * 0.25
  return weights[by] * (pick === 'first' ? 0.4 : 1) * (until === undefined ? 1 : 0.7) * record
}

/** The least that must speak for a value, all that speaks against it, and its part of all that could speak. */
const least = { support: 2.5, part: 0.3 } as const
const mostAgainst = 0.2

/** What one alternative found. */
export interface Vote {
  readonly alternative: Alternative
  readonly found: Found | undefined
}

/** The value that the alternatives agree on, or why there is none. */
export type Verdict =
  | { readonly found: Found; readonly agreed: number; readonly selector: string }
  | { readonly doubt: DoubtReason }

interface Group {
  readonly votes: Vote[]
  readonly value: LearnedScalar
}

/** Decides between what the alternatives of a field found. */
export function decide(votes: readonly Vote[], expected: Expected): Verdict {
  const groups: Group[] = []
  for (const vote of votes) {
    if (!vote.found) continue
    const { value } = vote.found
    const group = groups.find((one) => isSameValue(one.value, value)) ?? { votes: [], value }
    if (group.votes.length === 0) groups.push(group)
    group.votes.push(vote)
  }
  const weighed = groups.map(({ votes: own }) => ({ own, weight: supportOf(own) }))
  const [best, ...others] = weighed.toSorted((one, other) => other.weight - one.weight)
  if (!best) return { doubt: 'not found' }
  const against = others.reduce((sum, { weight }) => sum + weight, 0)
  if (against > best.weight * mostAgainst) return { doubt: 'disagreement' }
  const all = sumOf(votes)
  if (best.weight < least.support || sumOf(best.own) < all * least.part) return { doubt: 'too little agreement' }
  const [{ alternative, found }] = best.own as [Vote]
  if (!isExpected(found!.value, expected)) return { doubt: 'unexpected' }
  return { found: found!, agreed: best.own.length, selector: alternative.selector ?? `"${alternative.label ?? ''}"` }
}

const sumOf = (votes: readonly Vote[]): number => votes.reduce((sum, { alternative }) => sum + weightOf(alternative), 0)

/** What further names of one place add: they fail together. */
const further = 0.25

/** What speaks for a value: the best name of each place where it stands, and a little of the others. */
function supportOf(votes: readonly Vote[]): number {
  const places = new Map<number, number[]>()
  for (const { alternative, found } of votes) {
    const weights = places.get(found!.place) ?? []
    weights.push(weightOf(alternative))
    places.set(found!.place, weights)
  }
  return [...places.values()].reduce((sum, weights) => {
    const best = Math.max(...weights)
    return sum + best + further * (weights.reduce((all, one) => all + one, 0) - best)
  }, 0)
}

const shortText = 40

/** Whether a value looks like those that were answered. */
export function isExpected(value: LearnedScalar, expected: Expected): boolean {
  if (typeof value !== 'string') return true
  const { minLength, maxLength, maxWords, digits, signs } = expected
  if (value.length > maxLength * 4 + 10 || value.length < minLength / 5) return false
  if (maxLength > shortText) return true
  const own = shapeOf(value)
  if (own.words > maxWords + Math.max(2, maxWords / 2) || (own.signs && !signs && maxWords < 6)) return false
  return digits === undefined || own.digits === digits
}

function shapeOf(value: LearnedScalar) {
  const text = String(value)
  return { words: text.split(/\s+/).length, signs: /[,;:|•·–—(]/.test(text), digits: /\d/.test(text) }
}

/** What values are expected to look like, after one more. */
export function expectedAfter(before: Expected | undefined, value: LearnedScalar | undefined): Expected {
  if (value === undefined) return { ...(before ?? nothing), absent: (before?.absent ?? 0) + 1 }
  const { length } = String(value)
  const { words, signs, digits } = shapeOf(value)
  const { seen, absent, digits: known, ...rest } = before ?? nothing
  return {
    minLength: seen === 0 ? length : Math.min(rest.minLength, length),
    maxLength: Math.max(rest.maxLength, length),
    maxWords: Math.max(rest.maxWords, words),
    signs: rest.signs || signs,
    ...((seen === 0 || known === digits) && { digits }),
    seen: seen + 1,
    absent,
  }
}

const nothing: Expected = { minLength: 0, maxLength: 0, maxWords: 0, signs: false, seen: 0, absent: 0 }
