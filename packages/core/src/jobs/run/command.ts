import type { Json } from '@harvestman/ports'
import type { Tally } from '../log/tally.ts'

/** Command to a run. `asks` is its type in the store; `unknown` is one that this version does not know. */
export type Command = { readonly asks: 'cancel' | 'unknown' } | MoreCommand

export interface MoreCommand {
  readonly asks: 'more'
  /**
   * Reads the work from the store. Rejects if the store fails, with a damaged-record error if it has lost the work, and with
   * `newer_version` if a newer version wrote the command or the work.
   */
  body(): Promise<CommandBody>
}

/** Work that a command adds to a job. */
export interface CommandBody {
  readonly work: Json
  /** Length of the work in the store. */
  readonly bytes: number
}

/**
 * Returns whether a completed job has unprocessed `more` commands and must continue. Failed and cancelled jobs never continue.
 */
export function hasUnprocessedMore(commands: readonly Command[], { status, commands: followed }: Tally): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
