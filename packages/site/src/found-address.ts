/** An address that was found, as it stands in a log. */
export type FoundAddress = readonly [url: string, host: string, depth: number, isExternal: 0 | 1]

/** An address of a crawl that waits for its visit. */
export interface Waiting {
  /** Unique in the crawl. */
  readonly number: number
  readonly url: string
  readonly host: string
  /** Hops from the start. */
  readonly depth: number
  readonly isExternal: boolean
}
