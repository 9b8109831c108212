/** Finds pages: on the web, or among those that are known. */
export interface Search {
  /** Name for messages. */
  readonly name: string
  /** Sources that it can search. It is asked for nothing else. */
  readonly sources: readonly SearchSource[]
  /** The parts of a query that change what it gives. A caller who asks for another is told that it had no effect. */
  readonly follows: readonly SearchWish[]
  /**
   * Set by a backend that searches less than the web: a sentence that says what it searches and how to add the web. It is the
   * warning of a response without results, and such a response costs nothing.
   */
  readonly onlyIn?: string | undefined
  /**
   * Gives hits of one source, the best first. Must reject with the signal's reason as soon as it is aborted, and must end
   * by itself when the signal never is. Must not give what belongs to another team. What it gives is checked, so it may
   * give more than the limit, or what the query leaves out.
   */
  find(query: SearchQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
}

/** Source of hits. */
export type SearchSource = 'web' | 'news' | 'images'

/** A part of a query beside its words, its limit and its domains. */
export type SearchWish = 'language' | 'country' | 'location' | 'time' | 'newestFirst' | 'category' | 'safe'

/** Query of a search, and the team it is for. */
export interface SearchQuery {
  /** The team that searches. */
  readonly team: string
  readonly words: string
  readonly source: SearchSource
  /** The most hits that are of use. */
  readonly limit: number
  /** Two letters, in lower case. */
  readonly language: string
  /** Two letters, in upper case. */
  readonly country?: string | undefined
  /** A place in words. */
  readonly location?: string | undefined
  readonly time?: SearchTime | undefined
  readonly newestFirst: boolean
  readonly safe?: boolean | undefined
  /** Domains that hits must be in or below; any when empty. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
  /** Categories of which hits must fit one; any when empty. */
  readonly categories: readonly SearchCategory[]
}

/** Time when the page was written: within so long, or between two days, as `2026-01-31`. */
export type SearchTime =
  | { readonly within: 'hour' | 'day' | 'week' | 'month' | 'year' }
  | { readonly from?: string | undefined; readonly to?: string | undefined }

/** A kind of hit: one of some sites, or a type of file. */
export interface SearchCategory {
  readonly name: string
  readonly sites: readonly string[]
  /** The ending of the file, without a dot. */
  readonly file?: string
}

/** A page, an article or an image that a search found. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  /** Some words of the page, or about it. */
  readonly description?: string | undefined
  /** Date when it was written, as the search says it. */
  readonly date?: string | undefined
  readonly imageUrl?: string | undefined
  readonly imageWidth?: number | undefined
  readonly imageHeight?: number | undefined
}
