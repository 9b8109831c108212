import type { TeamCall } from '../plugin/admission.ts'

/** Caller that reads stored data: its team, and the scopes of its key. */
export type ReadCall = Pick<TeamCall, 'team' | 'scopes'>

/** Call that starts a job. The job keeps the page concurrency that its team has at the start. */
export interface JobCall extends TeamCall {
  /** A later call with the same key and the same request gets the job of the first call. */
  readonly idempotencyKey?: string | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
  /** Text before the subject of the job in lists, such as the name of the monitor that runs it. */
  readonly label?: string | undefined
  /** For servers: the address before the ids of files. */
  readonly filesAt?: string | undefined
}

/** Call that finds a job of many pages. */
export interface FindJob<Formats = readonly unknown[]> extends ReadCall {
  /** Formats of the job: they type its documents, and their schemas parse the values. */
  readonly formats?: Formats | undefined
}

/** Call that finds a job with one answer. */
export interface FindAnswer<Schema = unknown> extends ReadCall {
  /** The schema of a library that the job was asked with: the answer is then typed so, and parsed by it. */
  readonly schema?: Schema | undefined
}

/** Call for a map or for the plan of a crawl. */
export interface MapCall extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
}
