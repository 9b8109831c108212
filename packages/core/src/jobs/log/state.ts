import { growingNumbers, type GrowingNumbers, type NumberBlocks } from '@harvestman/coordination'
import { blockedIn, errorOf } from './events.ts'
import type { Fact } from './facts.ts'
import { count, emptyTally, type Tally } from './tally.ts'

/** State of a job by the segments of its log that are kept: the fold of their facts. */
export interface JobState {
  readonly tally: Tally
  /** Number of segments. */
  readonly places: number
  /** Number of documents up to the end of each segment. */
  readonly ends: GrowingNumbers
  /** The places that hold something for the list of errors. */
  readonly failures: GrowingNumbers
  /** The writer of the last segment; absent before the first. */
  readonly by: string | undefined
  /** Takes in the next segment. */
  take(facts: readonly Fact[], by: string | undefined): void
  /** The store has lost the end of the job: it is not over. */
  reopen(): void
  /** The state as it is now. */
  copy(): KeptState
}

/** The state as it stands in the store. */
export interface KeptState {
  readonly tally: Tally
  readonly places: number
  readonly ends: NumberBlocks
  readonly failures: NumberBlocks
  readonly by?: string | undefined
}

/** The state of a job from what is kept of it, or from nothing. */
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
      tally = facts.reduce(count, tally)
      ends.add((ends.last ?? 0) + facts.filter(({ is }) => is === 'page').length)
      if (facts.some(isForErrors)) failures.add(places)
      places += 1
    },
    copy: () => ({ tally, places, ends: ends.copy(), failures: failures.copy(), by }),
  }
}

function isForErrors(fact: Fact): boolean {
  return errorOf(fact).length > 0 || blockedIn(fact).length > 0
}
