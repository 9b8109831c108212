// Pages that a job loads or visits.
import type { PlacedBlock } from '../schema/file-place.ts'

/** Options of one operation of a job. */
export interface PartOptions {
  /** Aborts this operation, but not the job. */
  readonly signal?: AbortSignal | undefined
  /** True if it is already covered by another price. */
  readonly isFree?: boolean | undefined
}

/** Options of a search of a job. */
export interface SearchOptions extends PartOptions {
  /** Maximum number of results of each host. */
  readonly maxPerHost?: number | undefined
  /** Finds only pages of the last hour, day, week, month or year. */
  readonly within?: 'hour' | 'day' | 'week' | 'month' | 'year' | undefined
}

/** Options of loading one page for a job. */
export interface LoadOptions extends PartOptions {
  /** Returns the price of the loaded page in credits, at most the price of a page without extras. Default: that of a scrape. */
  price?(page: LoadedPage): number
  /** Scrape options of the page in addition to Markdown and links, from the schema of page options. */
  readonly page?: Readonly<Record<string, unknown>> | undefined
  /** True to return the blocks of a file that has pages, so that it can be cited with them. They are free. */
  readonly withBlocks?: boolean | undefined
}

/** A page loaded for a job. */
export interface LoadedPage {
  readonly url: string
  readonly markdown: string
  readonly links: readonly string[]
  /** The blocks of a file that has pages; only with `withBlocks`. */
  readonly blocks?: readonly PlacedBlock[]
  readonly metadata: {
    readonly title?: string
    readonly description?: string
    /** URL as requested. */
    readonly sourceURL: string
    readonly url: string
    readonly statusCode: number
    readonly creditsUsed: number
    readonly [name: string]: unknown
  }
}

/** A page found by a search or a map. */
export interface WebHit {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** A job that scrapes pages, charges each like a scrape, and builds its result from the values stored for each. */
export interface JobVisits<Request = unknown, Value = unknown, Services = unknown, Answer = unknown> {
  /** True to charge for language model tokens if they cost more than the page. Default: pages are charged like scrapes. */
  readonly byTokens?: boolean
  /** Returns the URLs to visit. Duplicates are removed. */
  urls(request: Request, site: SiteKit): Promise<readonly string[]>
  /** Returns the scrape options of each page. */
  page(request: Request): Readonly<Record<string, unknown>>
  /** Computes the value to store for a page. */
  read(page: JobVisitPage, visit: VisitKit<Request, Services>): Value | Promise<Value>
  /** Builds the result of the job from its pages, in order of completion. */
  join(pages: readonly PageValue<Value>[], request: Request): Answer
}

/** A visited page with its stored value. */
export interface PageValue<Value = unknown> {
  readonly url: string
  readonly statusCode: number
  readonly value: Value
}

/** A page that could not be loaded or read. */
export interface FailedPage {
  readonly url: string
  readonly error: string
}

/** Outcome of a page of a job: its value or its failure. */
export type VisitOutcome<Value = unknown> = PageValue<Value> | FailedPage

/** Functions for finding the pages of a job. */
export interface SiteKit {
  /** Returns the URLs of a site. */
  urls(url: string, limit: number, options?: SiteOptions): Promise<readonly string[]>
  /** Returns the URLs of the pages that a web search finds. Charged like a search. */
  search(words: string, limit: number): Promise<readonly string[]>
}

/** Filters for the URLs of a site. */
export interface SiteOptions {
  /** Query whose best matches come first. */
  readonly words?: string | undefined
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  readonly includeSubdomains?: boolean | undefined
}

/** A loaded page of a job that visits pages. */
export interface JobVisitPage extends LoadedPage {
  /** Index in the list of URLs. */
  readonly place: number
  /** Returns the value of a format, by its property name in the document. */
  formatValue(format: string): unknown
}

/** Context of `read` of a job that visits pages. */
export interface VisitKit<Request = unknown, Services = unknown> {
  readonly request: Request
  readonly ports: Services
  readonly signal: AbortSignal
  /**
   * Runs an operation that is charged on top of the page: reserves `credits`, then charges `price(result)`, at most `credits`.
   * If it fails, only the page is charged. Rejects with `insufficient_credits` if the team has too few.
   */
  pay<Result>(credits: number, work: () => Promise<Result>, price?: (result: Result) => number): Promise<Result>
}
