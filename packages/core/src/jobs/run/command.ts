import type { Json } from '@harvestman/ports'

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
