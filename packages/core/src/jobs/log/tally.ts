import type { EndStatus, Fact, JobStatusWord } from './facts.ts'

/** Counts derived from the facts of a job. */
export interface Tally {
  readonly status: JobStatusWord
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly credits: number
  /** Number of processed commands. */
  readonly commands: number
  readonly endedAt?: number
  readonly message?: string
}

export const emptyTally: Tally = { status: 'scraping', completed: 0, failed: 0, cancelled: 0, credits: 0, commands: 0 }

/** Returns the counts with one fact added. Facts that are not counted return them unchanged. */
export function countFact(tally: Tally, fact: Fact): Tally {
  switch (fact.is) {
    case 'page':
      return { ...tally, completed: tally.completed + 1, credits: tally.credits + fact.credits }
    case 'failed':
      return { ...tally, failed: tally.failed + 1 }
    case 'reopened':
      return {
        ...emptyTally,
        completed: tally.completed,
        failed: tally.failed,
        credits: tally.credits,
        commands: tally.commands,
      }
    case 'answered':
      return { ...tally, commands: fact.letters }
    case 'ended':
      return ended(tally, fact)
    default:
      return tally
  }
}

function ended(
  tally: Tally,
  { at, status, cancelled, message }: { at: number; status: EndStatus; cancelled: number; message?: string },
): Tally {
  return { ...tally, status, cancelled, endedAt: at, ...(message !== undefined && { message }) }
}

/**
 * Returns whether a completed job has unprocessed `more` commands and must continue. Failed and cancelled jobs never continue.
 */
export function hasUnprocessedMore(
  commands: readonly { readonly asks: string }[],
  { status, commands: followed }: Tally,
): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
