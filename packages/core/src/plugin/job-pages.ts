// The pages that a job loads or visits.
export interface PartOptions {
  /** Ends this part earlier than the whole. */
  readonly signal?: AbortSignal | undefined
  /** It is part of the price of something else. */
  readonly isFree?: boolean | undefined
}

export interface LoadOptions extends PartOptions {
  /** Price of the page once it is known; when absent, that of a scrape. It is never more than a page without extras. */
  price?(page: LoadedPage): number
}

/** A page that was loaded for a job. */
export interface LoadedPage {
  readonly url: string
  readonly markdown: string
  readonly links: readonly string[]
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

/** A page that a search or a map has found. */
export interface WebHit {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** A job that scrapes pages, pays for each like a scrape, and builds its result from the values stored for each. */
export interface JobVisits<Request = unknown, Value = unknown, Services = unknown, Answer = unknown> {
  /** A page costs what the tokens of a language model come to, where that is more than the page; like a scrape, when absent. */
  readonly byTokens?: boolean
  /** The addresses to visit. */
  urls(request: Request, site: SiteKit): Promise<readonly string[]>
  /** The options of each page, as a scrape takes them. */
  page(request: Request): Readonly<Record<string, unknown>>
  /** Reads the value that is kept of a page. */
  read(page: JobVisitPage, visit: VisitKit<Request, Services>): Value | Promise<Value>
  /** The answer, of the pages in the order in which they were finished. */
  join(pages: readonly PageValue<Value>[], request: Request): Answer
}

/** A page that was visited, and what was kept of it. */
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

/** Outcome of a page of a job: its value, or its failure. */
export type VisitOutcome<Value = unknown> = PageValue<Value> | FailedPage

/** Kit for finding the pages of a job. */
export interface SiteKit {
  /** The addresses of a site. */
  addresses(url: string, limit: number, options?: SiteOptions): Promise<readonly string[]>
  /** Pages that a search of the web finds. It costs what a search costs. */
  search(words: string, limit: number): Promise<readonly string[]>
}

/** Filters for the addresses of a site. */
export interface SiteOptions {
  /** Words whose best matches come first. */
  readonly words?: string | undefined
  readonly sitemap?: 'skip' | 'include' | 'only' | undefined
  readonly includeSubdomains?: boolean | undefined
}

/** A page of a job that visits pages, loaded. */
export interface JobVisitPage extends LoadedPage {
  /** Its place among the addresses. */
  readonly place: number
  /** Returns the value of a format, by its name in the document. */
  given(format: string): unknown
}

/** Kit of the functions of a job that visits pages. */
export interface VisitKit<Request = unknown, Services = unknown> {
  readonly request: Request
  readonly ports: Services
  readonly signal: AbortSignal
  /** Does something that is paid for on top of the page; the page stays paid for when it fails. It is refused where the credits are not there. */
  pay<Result>(credits: number, work: () => Promise<Result>, price?: (result: Result) => number): Promise<Result>
}
