import type { KeepOptions, Store } from '../ports/store.ts'
import type { Json } from '../ports/value.ts'
import { drawerName } from './record.ts'

/**
 * What people want of a job that is under way. A letter is kept before anybody acts on it, so it reaches the job
 * wherever it runs, and whoever takes it up later; the log says how many were followed.
 */
export type Letter = { readonly asks: 'cancel' } | { readonly asks: 'more'; readonly body: Json }

export async function readLetters(store: Store, id: string): Promise<readonly Letter[]> {
  return ((await store.get(keyOf(id))) as unknown as readonly Letter[] | undefined) ?? []
}

export async function sendLetter(store: Store, id: string, letter: Letter, keep: KeepOptions): Promise<void> {
  await store.update(keyOf(id), (old) => [...((old as Json[] | undefined) ?? []), letter], keep)
}

function keyOf(id: string): string {
  return `${drawerName(id)}/letters`
}
