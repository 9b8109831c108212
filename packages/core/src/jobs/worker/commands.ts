import type { KeepOptions, Store } from '../../ports/store.ts'
import type { Json } from '../../ports/value.ts'
import { checkVersion } from '../../records/version.ts'
import { jobKey } from '../log/storage.ts'
import type { Command } from '../run/command.ts'

// A command is kept before a worker follows it, so it reaches the job wherever it runs, and the worker that takes the job
// up later; the log says how many were followed.

const version = 1

export async function readCommands(store: Store, id: string): Promise<readonly Command[]> {
  const kept = ((await store.get(keyOf(id))) ?? []) as unknown as readonly (Command & { readonly v?: number })[]
  for (const command of kept) checkVersion('A command to this job', command, version)
  return kept
}

export async function sendCommand(store: Store, id: string, command: Command, keep: KeepOptions): Promise<void> {
  const kept: Json = { v: version, ...command }
  await store.update(keyOf(id), (old) => [...((old as Json[] | undefined) ?? []), kept], keep)
}

/** The name is that of the first versions. */
function keyOf(id: string): string {
  return `${jobKey(id)}/letters`
}
