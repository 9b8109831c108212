import type { Json, KeepOptions, Stop, Store } from '@harvestman/ports'
import { layout, addToList, watchKey } from '@harvestman/coordination'
import { jobKey } from '../log/storage.ts'
import type { Command } from '../run/command.ts'

// Commands to jobs. A command is stored before a worker processes it, so it reaches the job wherever and whenever it runs. The
// log contains the number of processed commands.

/** Polling interval in milliseconds for commands, if the store does not send notifications. */
const pollInterval = 500

const commandLayout = layout<Command>(1, { asks: 'text' })

/**
 * Returns all commands sent to a job so far, in order; empty if there are none. Rejects if the store fails or a command is
 * damaged.
 */
export async function readCommands(store: Store, id: string): Promise<readonly Command[]> {
  const stored = ((await store.get(keyOf(id))) ?? []) as readonly Json[]
  return stored.flatMap((command) => commandLayout.open('A command to this job', command) ?? [])
}

/** Stores a command to a job, even if the job does not exist. Rejects if the store fails. */
export async function sendCommand(store: Store, id: string, command: Command, keep: KeepOptions): Promise<void> {
  await addToList(store, keyOf(id), [commandLayout.seal(command)], keep)
}

/**
 * Calls `changed` when there may be a new command. Resolves to the function that stops watching. Never rejects: if the store is
 * unavailable, polling continues.
 */
export function watchCommands(store: Store, id: string, changed: () => void): Promise<Stop> {
  return watchKey(store, keyOf(id), changed, { every: pollInterval })
}

/** The key has its name from the first versions. */
function keyOf(id: string): string {
  return `${jobKey(id)}/letters`
}
