import { growingNumbers, type GrowingNumbers, type NumberBlocks } from '@harvestman/coordination'
import { robotsBlockedUrls, errorOf } from './events.ts'
import type { Fact } from './facts.ts'
import { countFact, emptyTally, type Tally } from './tally.ts'

/** State of a job, derived from the stored segments of its log. */
export interface JobState {
  readonly tally: Tally
  /** Number of segments. */
  readonly places: number
  /** Number of documents up to the end of each segment. */
  readonly ends: GrowingNumbers
  /** Positions of the segments with entries for the list of errors. */
  readonly failures: GrowingNumbers
  /** Writer of the last segment; absent before the first. */
  readonly by: string | undefined
  /** Applies the next segment. */
  take(facts: readonly Fact[], by: string | undefined): void
  /** Marks the job as running again, after the store lost its end. */
  reopen(): void
  /** Returns a copy of the current state. */
  copy(): KeptState
}

/** State of a job as stored. */
export interface KeptState {
  readonly tally: Tally
  readonly places: number
  readonly ends: NumberBlocks
  readonly failures: NumberBlocks
  readonly by?: string | undefined
}

/** Creates the state of a job, from a stored state or empty. */
export function jobState(kept?: KeptState): JobState {
  const ends = growingNumbers(kept?.ends)
  const failures = growingNumbers(kept?.failures)
  let { tally, places, by } = kept ?? { tally: emptyTally, places: 0, by: undefined }
  return {
    get tally() {
      return tally
    },
    get places() {
      return places
    },
    ends,
    failures,
    get by() {
      return by
    },
    reopen: () => {
      tally = { ...tally, status: 'scraping' }
    },
    take: (facts, writer) => {
      by = writer
      tally = facts.reduce(countFact, tally)
      ends.add((ends.last ?? 0) + facts.filter(({ is }) => is === 'page').length)
      if (facts.some(isForErrors)) failures.add(places)
      places += 1
    },
    copy: () => ({ tally, places, ends: ends.copy(), failures: failures.copy(), by }),
  }
}

function isForErrors(fact: Fact): boolean {
  return errorOf(fact).length > 0 || robotsBlockedUrls(fact).length > 0
}
