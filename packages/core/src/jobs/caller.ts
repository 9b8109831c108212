import type { TeamLimits } from '../schema/team.ts'

/** The caller that opens a job. */
export interface JobCaller {
  readonly team: string
  readonly limits?: Pick<TeamLimits, 'concurrency'> | undefined
  /** API key of the request. */
  readonly key?: string | undefined
  /** A repeated request with the same key returns the job that the first one opened. */
  readonly idempotencyKey?: string | undefined
  /** Prefix for the subject of the job in lists, such as the name of the monitor that runs it. */
  readonly label?: string | undefined
  /** Base URL at which the files of its pages are served. */
  readonly filesAt?: string | undefined
}
