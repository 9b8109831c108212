import { largestMessage } from '@harvestman/ports/adapters'

import { maxTabs } from '../lib/options.ts'

/** What one client of a live browser may ask for. */
export interface FenceLimits {
  /** Characters of a message, whatever its command. */
  readonly size: number
  /** How deep lists and records lie in each other. */
  readonly depth: number
  /** Values of a message. */
  readonly values: number
  /** Messages in a second. */
  readonly rate: number
  /** Commands that wait for their answer. */
  readonly waiting: number
  /** Characters of those. */
  readonly waitingSize: number
  /** Characters of an answer and of an event. */
  readonly answer: number
  /** Tabs of the session. */
  readonly tabs: number
}

export const defaultFenceLimits: FenceLimits = {
  size: largestMessage,
  depth: 100,
  values: 100_000,
  rate: 5_000,
  waiting: 10_000,
  waitingSize: 4 * largestMessage,
  answer: 4 * largestMessage,
  tabs: maxTabs,
}

/** Counts messages by the second. */
export function makeRate(most: number, now: () => number = performance.now.bind(performance)): () => boolean {
  let since = now()
  let count = 0
  return () => {
    if (now() - since >= 1_000) {
      since = now()
      count = 0
    }
    count += 1
    return count <= most
  }
}
