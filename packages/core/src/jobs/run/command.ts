import type { Json } from '@harvestman/ports'
import type { Tally } from '../log/tally.ts'

/** Command to a run. `asks` is its type in the store. */
export type Command = { readonly asks: 'cancel' } | MoreCommand

export interface MoreCommand {
  readonly asks: 'more'
  /** Reads the work from the store. Rejects if the store fails, and with a damaged-record error if it has lost the work. */
  body(): Promise<Json>
}

/**
 * Returns whether a completed job has unprocessed `more` commands and must continue. Failed and cancelled jobs never continue.
 */
export function hasUnprocessedMore(commands: readonly Command[], { status, commands: followed }: Tally): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
