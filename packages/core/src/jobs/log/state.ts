import type { KeepOptions, Store } from '../../ports/store.ts'
import { growingIndex, type GrowingIndex } from './document-index.ts'
import type { Fact } from './facts.ts'
import { blockedIn, errorOf } from './events.ts'
import { count, emptyTally, type Tally } from './tally.ts'

/** What is known of a job from the segments of its log that are kept. */
export interface JobState {
  readonly tally: Tally
  readonly contents: GrowingIndex
  /** How many segments there are. */
  readonly places: number
  /** Those that hold something for the list of errors. */
  readonly failures: readonly number[]
  /** Takes in the next segment. */
  take(facts: readonly Fact[]): void
}

export function makeJobState(store: Store, name: string, keep: () => KeepOptions): JobState {
  const contents = growingIndex(store, name, keep)
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
    contents,
    failures,
    take: (facts) => {
      tally = facts.reduce(count, tally)
      contents.add(facts.filter(({ is }) => is === 'page').length)
      if (facts.some(isForErrors)) failures.push(places)
      places += 1
    },
  }
}

function isForErrors(fact: Fact): boolean {
  return errorOf(fact).length > 0 || blockedIn(fact).length > 0
}
