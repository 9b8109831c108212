import type { ErrorCode, Json } from '@harvestman/ports'
import type { AnyDocument } from '../scrape/document.ts'
import type { JobStatusWord } from './log/facts.ts'

/** Handle of a crawl or batch. The job runs whether or not a process has a handle. */
export interface Job<Document = AnyDocument> {
  readonly id: string
  readonly kind: string
  status(): Promise<JobStatus>
  /** Yields each document once, in the order in which pages finish, until the job ends. */
  documents(options?: { readonly skip?: number; readonly signal?: AbortSignal }): AsyncIterable<Document>
  /** Yields events, from the beginning or after the event with this id, until the job ends. */
  events(options?: { readonly after?: string; readonly signal?: AbortSignal }): AsyncIterable<JobEvent<Document>>
  /** Returns one page of the documents, as stored bytes. */
  page(range: PageRange): Promise<JobPage>
  /** Returns the failed pages, and the URLs that robots.txt disallows. */
  errors(): Promise<JobErrors>
  /** Returns one row per URL without its document, in the order of events: for long lists. */
  rows(range: RowRange): Promise<JobRows>
  /** Returns the full request, including parts that `status` omits, such as the URLs of a batch. */
  request(): Promise<Json>
  /** Cancels the job. Resolves to false if it had already ended. */
  cancel(): Promise<boolean>
  /** Returns the undelivered messages of its webhook. */
  webhook(): Promise<WebhookState>
  /** Sends abandoned messages again, also after the job has ended. Resolves to their number. */
  redeliver(): Promise<number>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<JobStatus>
}

/** The messages that the receiver of a webhook has not accepted. */
export interface WebhookState {
  /** Messages that wait for their first or next attempt. */
  readonly pending: readonly UnsentMessage[]
  /** Abandoned messages, until `redeliver` sends them or the receiver is back. */
  readonly dead: readonly UnsentMessage[]
  /** True after the receiver responded with status 410: delivery has stopped until `redeliver` is called. */
  readonly isStopped: boolean
}

/** A webhook message that its receiver has not accepted. */
export interface UnsentMessage {
  /** The id of the event in `events`. */
  readonly event: string
  /** Its id for the receiver, the same at each attempt. */
  readonly webhookId: string
  readonly tries: number
  readonly nextTry?: string
  /** Reason why the last attempt failed. */
  readonly error?: string
}

/** Outcome of a job for display: its status, with a separate value for a job that completed although some pages failed. */
export type JobOutcome = JobStatusWord | 'completed_with_failures'

/**
 * Returns the outcome of a job: its status, or `completed_with_failures` if it has completed and some pages have failed. Use it
 * wherever a job is shown.
 */
export function outcomeOf({ status, failed }: { readonly status: JobStatusWord; readonly failed: number }): JobOutcome {
  return status === 'completed' && failed > 0 ? 'completed_with_failures' : status
}

/** The status of a crawl or batch. */
export interface JobStatus {
  readonly id: string
  readonly kind: string
  readonly status: JobStatusWord
  /** The status for display: `completed_with_failures` if the job completed but pages failed. */
  readonly outcome: JobOutcome
  /** Pages that were started or are about to be. At the end it is the sum of the next three. */
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly creditsUsed: number
  readonly createdAt: string
  readonly completedAt?: string
  readonly expiresAt: string
  /** Reason of a failure, or a warning. */
  readonly message?: string
  /** The request, with every default filled in. */
  readonly request: Json
}

/** Range of documents of a job to read. */
export interface PageRange {
  readonly skip: number
  readonly limit: number
  /** Maximum size of the documents in bytes. At least one document is returned. */
  readonly maxBytes: number
  /** Milliseconds to wait for a document when there is none yet and the job runs. */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** A page of the documents of a job, with its status. */
export interface JobPage {
  readonly status: JobStatus
  /** The documents as comma-separated JSON, in chunks that are ready to send. */
  readonly documents: readonly Uint8Array[]
  readonly count: number
  /** The position to continue at. Absent at the end of an ended job. */
  readonly next?: number
  /** Releases the memory of the documents after sending. Without it, the garbage collector does. */
  readonly free: () => void
}

/** Range of rows of a job to read. */
export interface RowRange {
  /** The `cursor` of the rows before. */
  readonly after?: string | undefined
  /** The approximate number: rows of one event stay together. */
  readonly limit: number
}

/** Rows of a job, one for each page, with its status. */
export interface JobRows {
  readonly status: JobStatus
  readonly rows: readonly JobRow[]
  /** The position to continue at, now or later. Absent before the first event. */
  readonly cursor?: string
  /** True when more rows exist already. */
  readonly hasMore: boolean
}

/** The outcome of a URL. */
export interface JobRow {
  /** `visited` and `failed` pages are counted; `left` URLs were skipped. */
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly at: string
  readonly url: string
  /** The id of the scrape of a visited or failed page. */
  readonly id?: string
  /** HTTP status of the page. */
  readonly status?: number
  /** At most 200 characters. */
  readonly title?: string
  /** Length of the document as JSON, in bytes. */
  readonly bytes?: number
  readonly credits?: number
  /** Error code if there is no document. */
  readonly code?: ErrorCode
  readonly error?: string
}

/** The failed pages of a job, and the URLs that robots.txt disallows. */
export interface JobErrors {
  readonly errors: readonly JobError[]
  readonly robotsBlocked: readonly string[]
}

/** A page of a job that failed. */
export interface JobError {
  readonly id: string
  readonly timestamp: string
  readonly url: string
  readonly code: ErrorCode
  readonly error: string
}

/** An event of a job. Ids increase in the order of events, and an event always has the same id. */
export type JobEvent<Document = AnyDocument> = { readonly id: string; readonly job: string; readonly at: string } & (
  | { readonly type: 'started' }
  | { readonly type: 'page'; readonly document: Document }
  | { readonly type: 'failed page'; readonly error: JobError }
  | { readonly type: 'completed' | 'failed' | 'cancelled'; readonly status: JobStatus }
)
