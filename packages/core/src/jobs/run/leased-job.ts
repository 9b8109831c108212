import type { Opening } from '../log/facts.ts'
import type { JobStorage } from '../log/storage.ts'

/** A job that this engine may work on, because it holds its lease. */
export interface LeasedJob {
  readonly opening: Opening
  readonly storage: JobStorage
  /** The name to write its log under: another one for each lease. */
  readonly by: string
  /** Aborted when another engine works on the job now. */
  readonly lost: AbortSignal
}
