/** A discovered URL, as stored in a log. */
export type FoundUrl = readonly [url: string, host: string, depth: number, isExternal: 0 | 1]

/** A URL of a crawl that is queued. */
export interface Waiting {
  /** Unique in the crawl. */
  readonly number: number
  readonly url: string
  readonly host: string
  /** Number of links from the start page. */
  readonly depth: number
  readonly isExternal: boolean
}
