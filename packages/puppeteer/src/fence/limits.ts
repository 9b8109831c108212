import { maxMessageBytes } from '@harvestman/toolbox/inbox'

import { maxTabs } from '../lib/options.ts'

/** Limits for one client of a live browser. */
export interface FenceLimits {
  /** Maximum number of characters of any message. */
  readonly size: number
  /** Maximum nesting depth of a message. */
  readonly depth: number
  /** Maximum number of values in a message. */
  readonly values: number
  /** Maximum number of messages per second. */
  readonly rate: number
  /** Maximum number of pending commands. */
  readonly waiting: number
  /** Maximum number of characters of all pending commands. */
  readonly waitingSize: number
  /** Maximum number of characters of a response or event. */
  readonly answer: number
  /** Maximum number of tabs of the session. */
  readonly tabs: number
}

export const defaultFenceLimits: FenceLimits = {
  size: maxMessageBytes,
  depth: 100,
  values: 100_000,
  rate: 5_000,
  waiting: 10_000,
  waitingSize: 4 * maxMessageBytes,
  answer: 4 * maxMessageBytes,
  tabs: maxTabs,
}

/**
 * Returns a function that counts a message and returns whether no more than `most` messages have come within a second. `now`
 * returns milliseconds.
 */
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
