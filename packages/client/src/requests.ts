// What is asked and answered, with documents that have what was asked for.
import type { CrawlRequest, Document, ParseOptions, ScrapeOptions, SearchRequest as SearchWords } from './types.ts'

/** The field of a document that has what an entry of `formats` asks for. */
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
 * The document of a request: what a literal list of formats asks for is there, and what it does not ask for is not. `Doc` has
 * every field that a document of the server may have; it is the document if its fields are not known.
 */
export type DocumentOf<Options, Doc extends object = Document> = string extends keyof Doc
  ? Doc
  : [FormatsIn<Options>] extends [never]
    ? With<'markdown', Doc>
    : number extends FormatsIn<Options>['length']
      ? Doc
      : With<FieldOf<FormatsIn<Options>[number]>, Doc, SureIn<FormatsIn<Options>>>

/** The fields of entries that can be one format only: what else was asked for may be there. */
type SureIn<Formats extends readonly unknown[]> = {
  [Index in keyof Formats]: true extends IsUnion<FieldOf<Formats[Index]>> ? never : FieldOf<Formats[Index]>
}[number]

type IsUnion<Type, Each = Type> = Each extends unknown ? ([Type] extends [Each] ? false : true) : never

/** A format may give its field by another name, which only the server knows: then any field may be there. */
type With<Fields, Doc extends object, Sure = Fields> = [Exclude<Fields, keyof Doc>] extends [never]
  ? Pick<Doc, Extract<keyof Doc, Always | Exclude<Fields, Sure>>> & Required<Pick<Doc, Extract<Sure, keyof Doc>>>
  : Doc

/** Fields of documents that need not be asked for. */
type Always = 'metadata' | 'actions' | 'warning' | 'explain'

/** What a scrape is asked. */
export interface ScrapeRequest extends ScrapeOptions {
  readonly url: string
}

/** What is asked of a file, and what is said of it. */
export type ParseRequest = ParseOptions

/** How a crawl or a batch stands. */
export interface JobState {
  readonly status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  /** The status for people: `completed_with_failures` when it completed and pages failed. */
  readonly outcome: 'scraping' | 'completed' | 'completed_with_failures' | 'failed' | 'cancelled'
  /** Pages that were taken up, those that failed included. */
  readonly total: number
  /** Pages that have a document. */
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
  /** Why the job failed. */
  readonly error?: string
}

/** What sort of job it is: one of these, or a kind that a plugin of the server brings. */
export type JobKind = 'crawl' | 'batch' | (string & {})

/** Which jobs are listed; all that are kept when nothing is said. */
export interface JobQuery {
  readonly kind?: JobKind
  readonly status?: JobState['status']
}

/** A job as a list shows it. */
export interface ListedJob extends Omit<JobState, 'duration' | 'warning'> {
  readonly id: string
  readonly kind: JobKind
  /** Its address, or its words. */
  readonly about?: string
  readonly cancelled: number
}

/** The outcome of an address of a job, without its document. */
export interface JobRow {
  /** Of a page that failed: whether another try may work. */
  readonly retryable?: boolean
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly at: string
  readonly url: string
  /** The id of the scrape: `findScrape` gives its document. */
  readonly id?: string
  readonly status?: number
  readonly title?: string
  /** The length of the document as JSON. */
  readonly bytes?: number
  readonly credits?: number
  /** Why there is no document, for programs. */
  readonly code?: string
  /** The same for people. */
  readonly error?: string
}

/** A message to the webhook of a job that was not taken. */
export interface UnsentMessage {
  readonly event: string
  /** The id by which the receiver knows it, at each try. */
  readonly webhookId: string
  readonly tries: number
  readonly nextTry?: string
  readonly error?: string
}

/** What the webhook of a job has not taken: what will be tried again, and what was given up. */
export interface WebhookState {
  readonly pending: readonly UnsentMessage[]
  readonly dead: readonly UnsentMessage[]
  /** The receiver answered 410, and is sent nothing more. */
  readonly isStopped: boolean
}

/** A crawl that runs. */
export interface RunningCrawl {
  readonly id: string
  readonly teamId: string
  readonly url: string
  readonly created_at: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Options of a crawl that a model chose for a prompt. */
export interface CrawlPlan {
  readonly options: CrawlRequest
  /** What was proposed and left out, and why. */
  readonly warning?: string | undefined
}

/** The pages of a job that failed, and those that robots.txt kept out. */
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

/** An address that a crawl met, and what the crawl decided about it. */
export interface ExplainedAddress {
  readonly url: string
  readonly outcome: 'visited' | 'failed' | 'waiting' | 'left'
  /** Why it was left out, for programs. */
  readonly reason?: string
  /** Why it failed, for programs. */
  readonly code?: string
  /** The same for people. */
  readonly sentence: string
  readonly foundOn?: string
  /** Links from the start. */
  readonly depth?: number
}

/** Something that happened in a job. */
export type JobEvent<Doc> = { readonly id: string; readonly job: string; readonly at: string } & (
  | { readonly type: 'started' }
  | { readonly type: 'page'; readonly document: Doc }
  | { readonly type: 'failed_page'; readonly error: JobErrors['errors'][number] }
  | { readonly type: 'completed' | 'failed' | 'cancelled'; readonly status: Partial<JobState> }
)

/** What a search can be asked for. Without formats in `scrapeOptions`, no page is scraped. */
export interface SearchRequest extends SearchWords {
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** The document of the page of a result: nothing of one when no format is asked for. */
export type PageOf<Request, Doc extends object = Document> = Request extends {
  readonly scrapeOptions: infer Options extends object
}
  ? [FormatsIn<Options>] extends [never]
    ? object
    : Partial<DocumentOf<Options, Doc>>
  : object

/** By source; only sources that were asked for are there. */
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
  /** From 1. */
  readonly position: number
  readonly category?: string
}

interface NewsFields {
  readonly snippet: string
  readonly date?: string
  readonly imageUrl?: string
}

/** An image that a search has found. */
export interface FoundImage {
  readonly url: string
  readonly title: string
  readonly position: number
  readonly imageUrl: string
  readonly imageWidth?: number
  readonly imageHeight?: number
}

/** The addresses of a site. */
export interface MapAnswer {
  readonly id: string
  readonly links: readonly { readonly url: string; readonly title?: string; readonly description?: string }[]
  readonly warning?: string
}
