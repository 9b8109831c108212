import type { ErrorCode, Json } from '@harvestman/ports'
import type { AnyDocument } from '../scrape/document.ts'
import type { JobStatusWord } from './log/facts.ts'

/** A job of many pages. It goes on whether or not a program holds this. */
export interface Job<Document = AnyDocument> {
  readonly id: string
  readonly kind: string
  status(): Promise<JobStatus>
  /** Documents in the order in which they were finished, each once, until the job has ended. */
  documents(options?: { readonly skip?: number; readonly signal?: AbortSignal }): AsyncIterable<Document>
  /** What happens, from the beginning or after the event of this id, until the job has ended. */
  events(options?: { readonly after?: string; readonly signal?: AbortSignal }): AsyncIterable<JobEvent<Document>>
  /** Some of the documents as they are kept. */
  page(range: PageRange): Promise<JobPage>
  /** Pages that failed, and what robots.txt kept the job from. */
  errors(): Promise<JobErrors>
  /** What became of each address, in the order of events, without documents: for lists of thousands. */
  rows(range: RowRange): Promise<JobRows>
  /** What was asked for, whole: also what `status` leaves out because it is long, such as the addresses of a batch. */
  request(): Promise<Json>
  /** Ends the job. Resolves to whether this did it: false when it had ended before. */
  cancel(): Promise<boolean>
  /** How far the webhook of the job has come. */
  webhook(): Promise<WebhookState>
  /** Sends the messages again that were given up, also when the job has ended. Resolves to how many they are. */
  redeliver(): Promise<number>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<JobStatus>
}

/** Messages of a webhook that its receiver has not taken. */
export interface WebhookState {
  /** Those that were tried and will be again, and those that are next. */
  readonly pending: readonly UnsentMessage[]
  /** Those that were given up, until they are sent again by `redeliver`, or because the receiver is back. */
  readonly dead: readonly UnsentMessage[]
  /** The receiver answered 410: it is sent nothing more, until `redeliver`. */
  readonly isStopped: boolean
}

/** A webhook message that its receiver has not taken. */
export interface UnsentMessage {
  /** The id of the event in `events`. */
  readonly event: string
  /** The id under which the receiver knows it, at each try. */
  readonly webhookId: string
  readonly tries: number
  readonly nextTry?: string
  /** Why it was not taken the last time. */
  readonly error?: string
}

/** How a job of many pages stands. */
export interface JobStatus {
  readonly id: string
  readonly kind: string
  readonly status: JobStatusWord
  /** Pages that were taken up or are about to be. At the end it is the sum of the next three. */
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly creditsUsed: number
  readonly createdAt: string
  readonly completedAt?: string
  readonly expiresAt: string
  /** Why it failed, or what is odd about it. */
  readonly message?: string
  /** What was asked for, with every default filled in. */
  readonly request: Json
}

/** Which documents of a job are read. */
export interface PageRange {
  readonly skip: number
  readonly limit: number
  /** The most bytes of documents; one is always given. */
  readonly maxBytes: number
  /** Milliseconds to wait for a document when there is none yet and the job goes on. */
  readonly wait?: number
  readonly signal?: AbortSignal
}

/** A page of the documents of a job, with its status. */
export interface JobPage {
  readonly status: JobStatus
  /** The documents as JSON texts with commas between them, in pieces, ready to be sent. */
  readonly documents: readonly Uint8Array[]
  readonly count: number
  /** Where to read on; absent when the job has ended and nothing is left. */
  readonly next?: number
  /** Gives the memory of the documents back, when they have been sent; they are empty then. Left alone it is garbage like any. */
  readonly free: () => void
}

/** Which rows of a job are read. */
export interface RowRange {
  /** The `cursor` of the rows before. */
  readonly after?: string | undefined
  /** About so many: what one event tells stays together. */
  readonly limit: number
}

/** Rows of a job, one for each page, with its status. */
export interface JobRows {
  readonly status: JobStatus
  readonly rows: readonly JobRow[]
  /** Where to read on, now or later; absent when nothing has happened yet. */
  readonly cursor?: string
  /** Whether there is more already. */
  readonly hasMore: boolean
}

/** What became of an address. */
export interface JobRow {
  /** `visited` and `failed` are the pages that are counted; `left` is what the job left out. */
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly at: string
  readonly url: string
  /** The id of the scrape, of a page that was visited or failed. */
  readonly id?: string
  /** What the page answered. Jobs of earlier versions do not say. */
  readonly status?: number
  /** At most 200 letters. Jobs of earlier versions do not say. */
  readonly title?: string
  /** The length of the document as JSON. */
  readonly bytes?: number
  readonly credits?: number
  /** Why there is no document. */
  readonly code?: ErrorCode
  readonly error?: string
}

/** The pages of a job that failed, and those that robots.txt kept out. */
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

/** Something that happened to a job. Ids grow in the order of events, and an event has the same id whenever it is read. */
export type JobEvent<Document = AnyDocument> = { readonly id: string; readonly job: string; readonly at: string } & (
  | { readonly type: 'started' }
  | { readonly type: 'page'; readonly document: Document }
  | { readonly type: 'failed page'; readonly error: JobError }
  | { readonly type: 'completed' | 'failed' | 'cancelled'; readonly status: JobStatus }
)
