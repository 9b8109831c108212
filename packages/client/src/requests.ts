// Types of requests and responses. Documents have the fields of the requested formats.
import type { CrawlRequest, Document, ParseOptions, ScrapeOptions, SearchRequest as SearchWords } from './types.ts'

/** The document field of an entry of `formats`. */
type FieldOf<Entry> = Entry extends { readonly type: infer Type extends string }
  ? FieldOfWord<Type>
  : FieldOfWord<Entry>

type FieldOfWord<Word> = Word extends keyof OtherFields ? OtherFields[Word] : Word

/** Formats whose field has another name. */
interface OtherFields {
  'screenshot@fullPage': 'screenshot'
  question: 'answer'
  query: 'answer'
}

type FormatsIn<Options> = Options extends { readonly formats: infer Formats extends readonly unknown[] }
  ? Formats
  : never

/**
 * The document of a request: fields of a literal list of formats are present, fields of other formats are absent. `Doc` has all
 * fields that documents of the server can have; it is the result if the formats are not known at compile time.
 */
export type DocumentOf<Options, Doc extends object = Document> = string extends keyof Doc
  ? Doc
  : [FormatsIn<Options>] extends [never]
    ? With<'markdown', Doc>
    : number extends FormatsIn<Options>['length']
      ? Doc
      : With<FieldOf<FormatsIn<Options>[number]>, Doc, SureIn<FormatsIn<Options>>>

/** Fields of entries that can only be one format. Fields of the other entries are optional. */
type SureIn<Formats extends readonly unknown[]> = {
  [Index in keyof Formats]: true extends IsUnion<FieldOf<Formats[Index]>> ? never : FieldOf<Formats[Index]>
}[number]

type IsUnion<Type, Each = Type> = Each extends unknown ? ([Type] extends [Each] ? false : true) : never

/** A format may have a field name that only the server knows. In that case any field may be present. */
type With<Fields, Doc extends object, Sure = Fields> = [Exclude<Fields, keyof Doc>] extends [never]
  ? Pick<Doc, Extract<keyof Doc, Always | Exclude<Fields, Sure>>> & Required<Pick<Doc, Extract<Sure, keyof Doc>>>
  : Doc

/** Document fields that need not be requested. */
type Always = 'metadata' | 'actions' | 'warning' | 'explain'

/** Options of a scrape. */
export interface ScrapeRequest extends ScrapeOptions {
  readonly url: string
}

/** Options of parsing a file, and its metadata. */
export type ParseRequest = ParseOptions

/** Status of a crawl or a batch. */
export interface JobState {
  readonly status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  /** Like `status`, with `completed_with_failures` if the job completed but pages failed. */
  readonly outcome: 'scraping' | 'completed' | 'completed_with_failures' | 'failed' | 'cancelled'
  /** Pages that were started, including failed ones. */
  readonly total: number
  /** Pages with a document. */
  readonly completed: number
  /** Pages that failed. */
  readonly failed: number
  readonly creditsUsed: number
  readonly createdAt: string
  readonly completedAt?: string
  readonly expiresAt: string
  /** Seconds. */
  readonly duration: number
  readonly warning?: string
  /** Error message of a failed job. */
  readonly error?: string
}

/** Kind of a job: a crawl, a batch, or a kind that a plugin of the server adds. */
export type JobKind = 'crawl' | 'batch' | (string & {})

/** Filter of the job list. Default: all stored jobs. */
export interface JobQuery {
  readonly kind?: JobKind
  readonly status?: JobState['status']
}

/** A job in a list. */
export interface ListedJob extends Omit<JobState, 'duration' | 'warning'> {
  readonly id: string
  readonly kind: JobKind
  /** Its URL or its query. */
  readonly about?: string
  readonly cancelled: number
}

/** The outcome of a URL of a job, without its document. */
export interface JobRow {
  /** For a failed page: whether a retry may succeed. */
  readonly retryable?: boolean
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly at: string
  readonly url: string
  /** The id of the scrape; `findScrape` returns its document. */
  readonly id?: string
  readonly status?: number
  readonly title?: string
  /** Length of the document as JSON. */
  readonly bytes?: number
  readonly credits?: number
  /** Code of the reason why there is no document. */
  readonly code?: string
  /** Message of the reason why there is no document. */
  readonly error?: string
}

/** An undelivered message to the webhook of a job. */
export interface UnsentMessage {
  readonly event: string
  /** Message id that the receiver gets with each attempt. */
  readonly webhookId: string
  readonly tries: number
  readonly nextTry?: string
  readonly error?: string
}

/** Undelivered webhook messages of a job: `pending` ones will be retried, `dead` ones were given up. */
export interface WebhookState {
  readonly pending: readonly UnsentMessage[]
  readonly dead: readonly UnsentMessage[]
  /** True after the receiver returned 410; it gets no further messages. */
  readonly isStopped: boolean
}

/** A running crawl. */
export interface RunningCrawl {
  readonly id: string
  readonly teamId: string
  readonly url: string
  readonly created_at: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Crawl options that a model chose for a prompt. */
export interface CrawlPlan {
  readonly options: CrawlRequest
  /** Which proposed options were rejected, and why. */
  readonly warning?: string | undefined
}

/** Failed pages of a job, and URLs that robots.txt disallows. */
export interface JobErrors {
  readonly errors: readonly {
    readonly id: string
    readonly timestamp: string
    readonly url: string
    readonly code: string
    readonly error: string
  }[]
  readonly robotsBlocked: readonly string[]
}

/** A URL that a crawl found, and the crawl's decision about it. */
export interface ExplainedUrl {
  readonly url: string
  readonly outcome: 'visited' | 'failed' | 'waiting' | 'left'
  /** Code of the reason why it was skipped. */
  readonly reason?: string
  /** Error code if it failed. */
  readonly code?: string
  /** The reason or error as a sentence. */
  readonly sentence: string
  readonly foundOn?: string
  /** Number of links from the start URL. */
  readonly depth?: number
}

/** An event of a job. */
export type JobEvent<Doc> = { readonly id: string; readonly job: string; readonly at: string } & (
  | { readonly type: 'started' }
  | { readonly type: 'page'; readonly document: Doc }
  | { readonly type: 'failed_page'; readonly error: JobErrors['errors'][number] }
  | { readonly type: 'completed' | 'failed' | 'cancelled'; readonly status: Partial<JobState> }
)

/** Options of a search. Pages are scraped only if `scrapeOptions` has formats. */
export interface SearchRequest extends SearchWords {
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** Document fields of a search result; none without requested formats. */
export type PageOf<Request, Doc extends object = Document> = Request extends {
  readonly scrapeOptions: infer Options extends object
}
  ? [FormatsIn<Options>] extends [never]
    ? object
    : Partial<DocumentOf<Options, Doc>>
  : object

/** Search results by source; only requested sources are present. */
export interface SearchAnswer<Page = object> {
  readonly id: string
  readonly web?: readonly (FoundPage & { readonly description: string } & Page)[]
  readonly news?: readonly (FoundPage & NewsFields & Page)[]
  readonly images?: readonly FoundImage[]
  /** With `asyncScraping`: the ids of the scrapes, in the order of the results. */
  readonly scrapeIds?: { readonly web?: readonly string[]; readonly news?: readonly string[] }
  readonly creditsUsed: number
  readonly warning?: string
}

interface FoundPage {
  readonly url: string
  readonly title: string
  /** Rank, from 1. */
  readonly position: number
  readonly category?: string
}

interface NewsFields {
  readonly snippet: string
  readonly date?: string
  readonly imageUrl?: string
}

/** An image search result. */
export interface FoundImage {
  readonly url: string
  readonly title: string
  readonly position: number
  readonly imageUrl: string
  readonly imageWidth?: number
  readonly imageHeight?: number
}

/** The URLs of a site. */
export interface MapAnswer {
  readonly id: string
  readonly links: readonly { readonly url: string; readonly title?: string; readonly description?: string }[]
  readonly warning?: string
}
