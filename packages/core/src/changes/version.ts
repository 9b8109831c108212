/** Key of a page. */
export interface PageKey {
  readonly team: string
  readonly url: string
  readonly tag: string | null
}

/** A page as it was from `at` until `seen`. */
export interface Version {
  /** Counted from 1; numbers are never given twice. */
  readonly number: number
  /** Times it was first and last seen so, in milliseconds since 1970. */
  readonly at: number
  readonly seen: number
  /** Number of times it was seen so. */
  readonly checks: number
  /** The page was not there. */
  readonly isRemoved: boolean
  readonly characters: number
  /** Names what was kept of it. */
  readonly digest: string
  /** Time when that was last written. */
  readonly keptAt: number
  /** Task that found it. */
  readonly task?: string
}
