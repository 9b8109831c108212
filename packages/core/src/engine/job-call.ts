import type { TeamCall } from '../plugin/admission.ts'

/** How a job is opened, beside what it asks for. As many pages at once as its team may have then, for as long as it runs. */
export interface JobCall extends TeamCall {
  /** Who asks again with the same key, for the same thing, gets the job of the first time. */
  readonly idempotencyKey?: string | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
  /** For servers: the address before the ids of files. */
  readonly filesAt?: string | undefined
}

/** How a job of many pages is found again. */
export interface FindJob<Formats = readonly unknown[]> {
  /** Who asks. Teams never see each other's things. */
  readonly team?: string | undefined
  /** What the job was asked for: its documents are then typed so, and parsed by the schemas that stand there. */
  readonly formats?: Formats | undefined
}

/** How a job with one answer is found again. */
export interface FindAnswer<Schema = unknown> {
  /** Who asks. Teams never see each other's things. */
  readonly team?: string | undefined
  /** The schema of a library that the job was asked with: the answer is then typed so, and parsed by it. */
  readonly schema?: Schema | undefined
}

/** How a map, or the plan of a crawl, is asked for, beside what it asks for. */
export interface MapCall extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
}
