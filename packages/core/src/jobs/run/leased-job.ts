import type { Opening } from '../log/facts.ts'
import type { JobStorage } from '../log/storage.ts'

/** A job whose lease this engine holds, so that it may run it. */
export interface LeasedJob {
  readonly opening: Opening
  readonly storage: JobStorage
  /** Writer name for the log, unique to each lease. */
  readonly by: string
  /** Aborts when another engine has taken over the job. */
  readonly lost: AbortSignal
}
