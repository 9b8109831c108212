/** Limits of a job, which are fixed when it joins. */
export interface JobTerms {
  readonly id: string
  readonly team: string
  /** Maximum number of concurrent visits of this job; the limit of its team if absent. */
  readonly concurrency?: number | undefined
  /** The job starts a visit only while all jobs of its team together have fewer running visits than this. */
  readonly teamConcurrency?: number | undefined
  /**
   * Milliseconds from the end of a visit to a host to the start of the job's next one there. The job then makes one visit per
   * host at a time; different hosts are visited in parallel.
   */
  readonly delay?: number | undefined
  /** Other engines may make its visits. */
  readonly allowsHelpers?: boolean | undefined
}

/** A visit that should start now; it must be passed to `done` when it has ended. */
export interface HostTurn {
  readonly job: string
  readonly host: string
  /** The host fails so often that it should not be requested now. After a while this is false again, for one more attempt. */
  readonly isDown: boolean
  /** Milliseconds from the start of this visit to the start of the next one to the host, as the host requests. */
  readonly pause: number
  /** Milliseconds that it was queued because of the concurrency limit of its team. */
  readonly heldFor?: number
  /** Another engine must make it, because no slot is free here. */
  readonly isElsewhere?: boolean
}
