// How often a page is loaded: about as often as it changes.

/** What the looks at a page have shown. */
export interface Pace {
  /** When it was looked at first, and last. */
  readonly since: number
  readonly at: number
  /** When it was last loaded. */
  readonly loadedAt: number
  /** Looks after the first, and those of them that found a change. */
  readonly looks: number
  readonly changes: number
}

/** A look that says something about a page: it was loaded, or its site said that it has not changed. */
export interface PacedLook {
  readonly at: number
  readonly isLoaded: boolean
  readonly hasChanged: boolean
}

/** Takes a look in. */
export function paced(old: Pace | undefined, { at, isLoaded, hasChanged }: PacedLook): Pace {
  if (!old) return { since: at, at, loadedAt: at, looks: 0, changes: 0 }
  return {
    ...{ since: old.since, at, loadedAt: isLoaded ? at : old.loadedAt },
    ...{ looks: old.looks + 1, changes: old.changes + (hasChanged ? 1 : 0) },
  }
}

/**
 * The time from one load to the next: twice the mean time between changes so far, and less where many looks have found one, as
 * such a page may change more often than it is looked at.
 */
export function waitOf({ since, at, looks, changes }: Pace, most: number): number {
  if (looks === 0) return 0
  return Math.min(((2 * (at - since)) / (changes + 1)) * (1 - changes / looks), most)
}
