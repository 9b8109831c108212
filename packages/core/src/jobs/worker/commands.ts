import type { KeepOptions, Store } from '../../ports/store.ts'
import type { Json } from '../../ports/value.ts'
import { jobKey } from '../log/checkpoint.ts'

/**
 * What people want of a job that is under way. A letter is kept before anybody acts on it, so it reaches the job
 * wherever it runs, and whoever takes it up later; the log says how many were followed.
 */
export type Command = { readonly asks: 'cancel' } | { readonly asks: 'more'; readonly body: Json }

export async function readCommands(store: Store, id: string): Promise<readonly Command[]> {
  return ((await store.get(keyOf(id))) as unknown as readonly Command[] | undefined) ?? []
}

export async function sendCommand(store: Store, id: string, letter: Command, keep: KeepOptions): Promise<void> {
  await store.update(keyOf(id), (old) => [...((old as Json[] | undefined) ?? []), letter], keep)
}

function keyOf(id: string): string {
  return `${jobKey(id)}/letters`
}
