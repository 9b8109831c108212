/** Progress of a job, checked whenever its lease is renewed. */
export interface JobProgress {
  /** Changes whenever something has happened. */
  readonly made: number
  /** True if no visit is running and nothing known keeps one from starting. */
  readonly couldGoOn: boolean
}

/** Consecutive renewals without progress after which a job counts as stalled. There are three renewals per lease time. */
const maxIdleRenewals = 6

/**
 * Returns a function that reports whether a job has stalled: it could continue but made no progress in 6 renewals, because a
 * wake-up was lost. Call it at each successful renewal. It counts renewals rather than time, so an unreachable store makes no
 * worker give up a job.
 */
export function watchStandstill(look: () => JobProgress): () => boolean {
  let before = Number.NaN
  let idle = 0
  return () => {
    const { made, couldGoOn } = look()
    idle = couldGoOn && made === before ? idle + 1 : 0
    before = made
    return idle >= maxIdleRenewals
  }
}
