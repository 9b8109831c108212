import type { TeamLimits } from '../schema/team.ts'

/** Caller that opens a job. */
export interface JobCaller {
  readonly team: string
  readonly limits?: Pick<TeamLimits, 'concurrency'> | undefined
  /** The API key that is used. */
  readonly key?: string | undefined
  /** The same request with the same key gives the job that the first one opened. */
  readonly idempotencyKey?: string | undefined
  /** Text before the subject of the job in lists, such as the name of the monitor that runs it. */
  readonly label?: string | undefined
  /** Address under which the files of its pages are served. */
  readonly filesAt?: string | undefined
}
