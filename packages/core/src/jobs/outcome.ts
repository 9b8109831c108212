import type { JobStatusWord } from './log/facts.ts'

/** How a job stands for people: its status, with a state of its own for a job that completed without some of its pages. */
export type JobOutcome = JobStatusWord | 'completed_with_failures'

/** Returns the outcome of a job from its counts. Every view of a job uses this value. */
export function outcomeOf({ status, failed }: { readonly status: JobStatusWord; readonly failed: number }): JobOutcome {
  return status === 'completed' && failed > 0 ? 'completed_with_failures' : status
}
