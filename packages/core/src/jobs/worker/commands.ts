import { randomUUID } from 'node:crypto'

import type { Json, KeepOptions, Stop, Store } from '@harvestman/ports'
import { addToList, damagedRecord, layout, watchKey } from '@harvestman/coordination'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { jobKey } from '../log/storage.ts'
import type { Command } from '../run/command.ts'

// Commands to jobs. A command is stored before a worker processes it, so it reaches the job wherever and whenever it runs. The
// log contains the number of processed commands. The work of each command is stored under its own key: the list of commands
// stays short however much work they add, and work that was processed is not read again.

/** Polling interval in milliseconds for commands, if the store does not send notifications. */
const pollInterval = 500

type StoredCommand =
  | { readonly asks: 'cancel' }
  /** `part` is the end of the key of the work. Layout 1 has the work itself, as `body`. */
  | { readonly asks: 'more'; readonly part?: string; readonly body?: Json }

const commandLayout = layout<StoredCommand>(2, { asks: 'text' })
const bodyLayout = layout<{ readonly body: Json }>(1, {})

/**
 * Returns all commands sent to a job so far, in order, without their work; empty if there are none. Rejects if the store fails
 * or a command is damaged.
 */
export async function readCommands(store: Store, id: string): Promise<readonly Command[]> {
  const stored = ((await store.get(keyOf(id))) ?? []) as readonly Json[]
  return stored.map((item) => {
    const command = commandLayout.open('A command to this job', item)
    if (command?.asks !== 'more') return { asks: 'cancel' }
    const { part, body = null } = command
    return { asks: 'more', body: async () => (part === undefined ? body : readBody(store, id, part)) }
  })
}

async function readBody(store: Store, id: string, part: string): Promise<Json> {
  const what = 'the work that a command adds to this job'
  const found = bodyLayout.open(what, await store.get(bodyKeyOf(id, part)))
  if (found) return found.body
  throw damagedRecord(what)
}

/** Stores the command to cancel a job, even if the job does not exist. Rejects if the store fails. */
export async function sendCancel(store: Store, id: string, keep: KeepOptions): Promise<void> {
  await addToList(store, keyOf(id), [commandLayout.seal({ asks: 'cancel' })], keep)
}

/**
 * Stores work for a job, even if the job does not exist: one command for each part. Rejects if the store fails, and then the job
 * gets none of them, also after a crash.
 */
export async function sendMore(
  store: Store,
  id: string,
  parts: readonly Json[],
  keep: () => KeepOptions,
): Promise<void> {
  const name = randomUUID()
  const bodies = new Map(parts.map((body, index) => [`${name}-${index}`, body]))
  const writeBodies = async (): Promise<void> => {
    for (const [part, body] of bodies) {
      await store.set(bodyKeyOf(id, part), bodyLayout.seal({ body }), keep())
      await nextTurn()
    }
  }
  const generation = store.generation?.()
  await writeBodies()
  // The list is last: a run that finds a command, finds its work.
  const commands = [...bodies.keys()].map((part) => commandLayout.seal({ asks: 'more', part }))
  await addToList(store, keyOf(id), commands, keep())
  // A store that has moved to another server in between may have lost some.
  if (store.generation?.() !== generation) await writeBodies()
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

function bodyKeyOf(id: string, part: string): string {
  return `${keyOf(id)}/${part}`
}
