import type { Json } from '@harvestman/ports'
import type { Tally } from '../log/tally.ts'

/** Command to a run. `asks` is the word under which it is kept. */
export type Command = { readonly asks: 'cancel' } | { readonly asks: 'more'; readonly body: Json }

/** True when a job that has ended is to go on. A cancelled job stays cancelled. */
export function asksForMore(commands: readonly Command[], { status, commands: followed }: Tally): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
