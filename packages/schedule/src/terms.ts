/** Terms that are settled when a job joins. */
export interface JobTerms {
  readonly id: string
  readonly team: string
  /** Visits at once of this job; without it, as many as its team may. */
  readonly concurrency?: number | undefined
  /** It starts a visit only while all jobs of its team together have fewer than this. */
  readonly teamConcurrency?: number | undefined
  /**
   * Milliseconds from the end of a visit to a host to the start of the job's next one there. Visits of the job to one
   * host are one at a time then; different hosts are visited side by side.
   */
  readonly delay?: number | undefined
  /** Other engines may make its visits. */
  readonly lends?: boolean | undefined
}

/** A visit that should start now; give it back to `done` when it ended. */
export interface HostTurn {
  readonly job: string
  readonly host: string
  /** The host answers so badly that it should not be asked now; after a while this is false again, for one more try. */
  readonly isGone: boolean
  /** Milliseconds from the start of this visit to that of the next one to the host, as the host asks. */
  readonly pause: number
  /** Milliseconds that it waited for another visit of its team to end. */
  readonly heldFor?: number
  /** Another engine is to make it: there is no place left here. */
  readonly isElsewhere?: boolean
}
