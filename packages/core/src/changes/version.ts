/** Identifies a page. */
export interface PageKey {
  readonly team: string
  readonly url: string
  readonly tag: string | null
}

/** State of a page from `at` until `seen`. */
export interface Version {
  /** Starts at 1. Numbers are never reused. */
  readonly number: number
  /** When it was first and last seen in this state, in milliseconds since 1970. */
  readonly at: number
  readonly seen: number
  /** Number of checks that saw this state. */
  readonly checks: number
  /** True if the page did not exist. */
  readonly isRemoved: boolean
  readonly characters: number
  /** Hash that identifies the stored text. */
  readonly digest: string
  /** When its text was last written, in milliseconds since 1970. */
  readonly keptAt: number
  /** Task that stored this version. */
  readonly task?: string
}
