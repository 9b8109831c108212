import type { Json } from '@harvestman/ports'
import type { Tally } from '../log/tally.ts'

/** Command to a run. `asks` is its type in the store. */
export type Command = { readonly asks: 'cancel' } | { readonly asks: 'more'; readonly body: Json }

/**
 * Returns whether a completed job has unprocessed `more` commands and must continue. Failed and cancelled jobs never continue.
 */
export function hasUnprocessedMore(commands: readonly Command[], { status, commands: followed }: Tally): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
