import { growingIndex, type GrowingIndex } from './document-index.ts'
import { blockedIn, errorOf } from './events.ts'
import type { Fact } from './facts.ts'
import { count, emptyTally, type Tally } from './tally.ts'

/** What is known of a job from the segments of its log that are kept: the fold of their facts. */
export interface JobState {
  readonly tally: Tally
  /** How many segments there are. */
  readonly places: number
  /** Where in them the documents are. */
  readonly index: GrowingIndex
  /** The places that hold something for the list of errors. */
  readonly failures: readonly number[]
  /** Takes in the next segment. */
  take(facts: readonly Fact[]): void
}

export function emptyState(): JobState {
  const index = growingIndex()
  const failures: number[] = []
  let tally = emptyTally
  let places = 0
  return {
    get tally() {
      return tally
    },
    get places() {
      return places
    },
    index,
    failures,
    take: (facts) => {
      tally = facts.reduce(count, tally)
      index.add(facts.filter(({ is }) => is === 'page').length)
      if (facts.some(isForErrors)) failures.push(places)
      places += 1
    },
  }
}

function isForErrors(fact: Fact): boolean {
  return errorOf(fact).length > 0 || blockedIn(fact).length > 0
}
