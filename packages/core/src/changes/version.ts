/** Whose page it is. */
export interface PageKey {
  readonly team: string
  readonly url: string
  readonly tag: string | null
}

/** A page as it was from `at` until `seen`. */
export interface Version {
  /** Counted from 1; numbers are never given twice. */
  readonly number: number
  /** When it was first seen so, and when last; milliseconds. */
  readonly at: number
  readonly seen: number
  /** How often it was seen so. */
  readonly checks: number
  /** The page was not there. */
  readonly isRemoved: boolean
  readonly characters: number
  /** Names what was kept of it. */
  readonly digest: string
  /** When that was last written. */
  readonly keptAt: number
}
