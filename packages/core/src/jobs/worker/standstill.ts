/** Progress of a job, looked at when its lease is renewed. */
export interface JobProgress {
  /** Another number when something has happened. */
  readonly made: number
  /** Nothing of the job is under way, and nothing that is known keeps it from going on. */
  readonly couldGoOn: boolean
}

/** Renewals in a row, of which a lease time has three. */
const mostIdle = 6

/**
 * Tells of a job that holds its lease and does nothing though it could: something was to wake it and did not. It counts
 * renewals that succeeded and no time, so a store that is away makes no worker give up a job.
 */
export function watchStandstill(look: () => JobProgress): () => boolean {
  let before = Number.NaN
  let idle = 0
  return () => {
    const { made, couldGoOn } = look()
    idle = couldGoOn && made === before ? idle + 1 : 0
    before = made
    return idle >= mostIdle
  }
}
