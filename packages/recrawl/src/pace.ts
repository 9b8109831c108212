// Determines how often a page is loaded: about as often as it changes.

/** Change statistics of a page. */
export interface Pace {
  /** Time of the first and of the last visit, in milliseconds since 1970. */
  readonly since: number
  readonly at: number
  /** Time of the last load, in milliseconds since 1970. */
  readonly loadedAt: number
  /** Number of visits after the first, and how many of them found a change. */
  readonly looks: number
  readonly changes: number
}

/** A visit that counts: the page was loaded, or its site reported that it is unchanged. */
export interface PacedLook {
  readonly at: number
  readonly isLoaded: boolean
  readonly hasChanged: boolean
}

/**
 * Returns the statistics with one more visit, which is the first one if there are none. Times are in milliseconds
 * since 1970.
 */
export function updatePace(old: Pace | undefined, { at, isLoaded, hasChanged }: PacedLook): Pace {
  if (!old) return { since: at, at, loadedAt: at, looks: 0, changes: 0 }
  return {
    ...{ since: old.since, at, loadedAt: isLoaded ? at : old.loadedAt },
    ...{ looks: old.looks + 1, changes: old.changes + (hasChanged ? 1 : 0) },
  }
}

/**
 * Returns the milliseconds from one load to the next: twice the mean interval between changes, at most `most`. It
 * shrinks if most visits found a change, because such a page may change more often than it is visited. 0 before the
 * second visit.
 */
export function waitOf({ since, at, looks, changes }: Pace, most: number): number {
  if (looks === 0) return 0
  return Math.min(((2 * (at - since)) / (changes + 1)) * (1 - changes / looks), most)
}
