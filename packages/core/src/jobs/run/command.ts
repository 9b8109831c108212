import type { Json } from '@harvestman/ports'
import type { Tally } from '../log/tally.ts'

/** What a run can be told to do. `asks` is the word under which it is kept. */
export type Command = { readonly asks: 'cancel' } | { readonly asks: 'more'; readonly body: Json }

/** Whether a job that has ended is to go on. One that was cancelled stays so. */
export function asksForMore(commands: readonly Command[], { status, commands: followed }: Tally): boolean {
  return status === 'completed' && commands.slice(followed).some(({ asks }) => asks === 'more')
}
