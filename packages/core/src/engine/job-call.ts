import type { TeamCall } from '../plugin/admission.ts'

/** Caller that reads stored data: its team, and the scopes of its key. */
export type ReadCall = Pick<TeamCall, 'team' | 'scopes'>

/** Call that starts a job. The job keeps the concurrency limit that its team has at the start. */
export interface JobCall extends TeamCall {
  /** Idempotency key. A later call with the same key and the same request returns the first job. */
  readonly idempotencyKey?: string | undefined
  /** Version of the API that the caller uses, for the activity log. */
  readonly apiVersion?: string | undefined
  /** Prefix for the subject of the job in lists, such as the name of the monitor that runs it. */
  readonly label?: string | undefined
  /** For servers: URL prefix of files, to which their ids are appended. */
  readonly filesAt?: string | undefined
}

/** Call that finds a job with many pages. */
export interface FindJob<Formats = readonly unknown[]> extends ReadCall {
  /** Formats of the job. They determine the type of its documents, and their schemas parse the values. */
  readonly formats?: Formats | undefined
}

/** Call that finds a job with one result. */
export interface FindAnswer<Schema = unknown> extends ReadCall {
  /** Library schema of the request that started the job. It determines the type of the result and parses it. */
  readonly schema?: Schema | undefined
}

/** Call for a map or for the plan of a crawl. */
export interface MapCall extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** Version of the API that the caller uses, for the activity log. */
  readonly apiVersion?: string | undefined
}
