// What is asked and answered, with documents that have what was asked for.
import type { Document, FormatEntry, ParseOptions, ScrapeOptions, SearchRequest as SearchWords } from './types.ts'

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

/** The document of a request: what a literal list of formats asks for is there, and what it does not ask for is not. */
export type DocumentOf<Options> = [FormatsIn<Options>] extends [never]
  ? With<'markdown'>
  : number extends FormatsIn<Options>['length']
    ? Document
    : With<FieldOf<FormatsIn<Options>[number]>>

type With<Fields> = Omit<Document, Word> & Required<Pick<Document, Extract<Fields, keyof Document>>>

/** Fields of documents that are there because they were asked for. */
type Word = Exclude<Extract<FieldOf<FormatEntry>, keyof Document>, 'metadata'>

/** What a scrape is asked. */
export interface ScrapeRequest extends ScrapeOptions {
  readonly url: string
}

/** What is asked of a file, and what is said of it. */
export type ParseRequest = ParseOptions

/** How a crawl or a batch stands. */
export interface JobState {
  readonly status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  /** Pages that were taken up, those that failed included. */
  readonly total: number
  /** Pages that have a document. */
  readonly completed: number
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
  readonly failed: number
  readonly cancelled: number
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
export type PageOf<Request> = Request extends { readonly scrapeOptions: infer Options extends object }
  ? [FormatsIn<Options>] extends [never]
    ? object
    : Partial<DocumentOf<Options>>
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
