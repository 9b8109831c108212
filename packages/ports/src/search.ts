/** Finds pages, on the web or in an index. */
export interface Search {
  /** Name for messages. */
  readonly name: string
  /** Sources that it supports. It is called for no others. */
  readonly sources: readonly SearchSource[]
  /** Parts of a query that affect its results. A caller that uses another part is warned that it had no effect. */
  readonly follows: readonly SearchWish[]
  /**
   * Set by a backend that searches less than the web: a sentence that describes its index and how to add the web. It is the
   * warning of a response without results, and such a response is free.
   */
  readonly onlyIn?: string | undefined
  /**
   * Returns hits of one source, best first. Must reject with the signal's reason as soon as it is aborted, and must end by
   * itself otherwise. Must not return data of another team. Results are filtered afterwards, so there may be more than the
   * limit, or some that the query excludes.
   */
  find(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
}

/** Source of hits. */
export type SearchSource = 'web' | 'news' | 'images'

/** A part of a query other than its words, limit and domains. */
export type SearchWish = 'language' | 'country' | 'location' | 'time' | 'newestFirst' | 'category' | 'safe'

/** A search query, and the team it is for. */
export interface SearchQuery {
  /** The team that searches. */
  readonly team: string
  readonly words: string
  readonly source: SearchSource
  /** Maximum number of hits that are useful. */
  readonly limit: number
  /** Two-letter code, lower case. */
  readonly language: string
  /** Two-letter code, upper case. */
  readonly country?: string | undefined
  /** A place name. */
  readonly location?: string | undefined
  readonly time?: SearchTime | undefined
  readonly newestFirst: boolean
  readonly safe?: boolean | undefined
  /** Hits must be in one of these domains or their subdomains; any domain when empty. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** Hits must match one of these categories; anything when empty. */
  readonly categories: readonly SearchCategory[]
}

/** Time when the page was written: within a period until now, or between two days, such as `2026-01-31`. */
export type SearchTime =
  | { readonly within: 'hour' | 'day' | 'week' | 'month' | 'year' }
  | { readonly from?: string | undefined; readonly to?: string | undefined }

/** A category of hits: pages of certain sites, or files of a type. */
export interface SearchCategory {
  readonly name: string
  readonly sites: readonly string[]
  /** File extension, without the dot. */
  readonly file?: string
}

/** A page, an article or an image that a search found. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  /** An excerpt or a description of the page. */
  readonly description?: string | undefined
  /** Date of the page, in the format of the search. */
  readonly date?: string | undefined
  readonly imageUrl?: string | undefined
  readonly imageWidth?: number | undefined
  readonly imageHeight?: number | undefined
  /** Where the passage of `description` is in the page. Only from a search that has the content of the pages. */
  readonly citation?: SearchCitation | undefined
}

/** The passage of a page that a search found. */
export interface SearchCitation {
  /** The URL of the page with a fragment that opens it at the passage. */
  readonly link: string
  /** The id of the chunk. The format `chunks` returns the same by default. */
  readonly chunk: string
  /** Offsets of the passage in the Markdown of the page, in characters. */
  readonly start: number
  readonly end: number
  /** SHA-256 of that Markdown. */
  readonly hash: string
}
