import { randomUUID } from 'node:crypto'

import type { Json, KeepOptions, Stop, Store } from '@harvestman/ports'
import { addToList, damagedRecord, isNewerRecord, layout, watchKey } from '@harvestman/coordination'
import { parseStored } from '@harvestman/ports/stores'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { jobKey, type StorageKit } from '../log/storage.ts'
import type { Command, CommandBody } from '../run/command.ts'

// Commands to jobs. A command is stored before a worker processes it, so it reaches the job wherever and whenever it runs. The
// log contains the number of processed commands. The work of each command is stored under its own key: the list of commands
// stays short however much work they add, and work that was processed is not read again.

/** Polling interval in milliseconds for commands, if the store does not send notifications. */
const pollInterval = 500

/** Storage of commands. With a vault, the credentials in work are encrypted. */
export interface CommandStorage extends Pick<StorageKit, 'vault'> {
  readonly store: Store
}

interface StoredCommand {
  readonly asks: string
  /** Of `more`: the end of the key of the work. Layout 1 has the work itself, as `body`. */
  readonly part?: string
  readonly body?: Json
}

// Sealed with the first layout that has their fields, so that earlier versions can read as many as possible.
const firstLayout = layout<StoredCommand>(1, { asks: 'text' })
const commandLayout = layout<StoredCommand>(2, { asks: 'text' })
const bodyLayout = layout<{ readonly body: Json }>(1, {})

/**
 * Returns all commands sent to a job so far, in order, without their work; empty if there are none. A command of a newer version
 * is one whose work cannot be read. Rejects if the store fails or a command is damaged.
 */
export async function readCommands(storage: CommandStorage, id: string): Promise<readonly Command[]> {
  const stored = ((await storage.store.get(keyOf(id))) ?? []) as readonly Json[]
  return stored.map((item) => readCommand(storage, id, item))
}

function readCommand(storage: CommandStorage, id: string, item: Json): Command {
  try {
    const { asks, part, body = null } = commandLayout.open('A command to this job', item) ?? { asks: 'unknown' }
    if (asks === 'cancel') return { asks }
    if (asks !== 'more') return { asks: 'unknown' }
    return { asks, body: async () => (part === undefined ? { work: body, bytes: 0 } : readBody(storage, id, part)) }
  } catch (error) {
    if (!isNewerRecord(error)) throw error
    return { asks: 'more', body: () => Promise.reject(error) }
  }
}

async function readBody({ store, vault }: CommandStorage, id: string, part: string): Promise<CommandBody> {
  const what = 'the work that a command adds to this job'
  const stored = await store.get(bodyKeyOf(id, part))
  if (!(stored instanceof Uint8Array)) throw damagedRecord(what)
  // Cast: parsed JSON.
  const found = bodyLayout.open(what, parseStored(new TextDecoder().decode(stored)) as Json)
  // Cast: a vault replaces only strings and objects with other JSON values.
  if (found) return { work: (vault ? vault.open(found.body) : found.body) as Json, bytes: stored.byteLength }
  throw damagedRecord(what)
}

/** Returns the work of a command as bytes, whose length is known when it is read and is counted for jobs in memory. */
function packBody(body: Json, { vault }: CommandStorage): Uint8Array {
  // Cast: a vault replaces only strings and objects with other JSON values.
  return Buffer.from(JSON.stringify(bodyLayout.seal({ body: vault ? (vault.seal(body) as Json) : body })))
}

/** Stores the command to cancel a job, even if the job does not exist. Rejects if the store fails. */
export async function sendCancel({ store }: CommandStorage, id: string, keep: KeepOptions): Promise<void> {
  await addToList(store, keyOf(id), [firstLayout.seal({ asks: 'cancel' })], keep)
}

export interface SendOptions {
  readonly keep: () => KeepOptions
  /** Marks the job as open, so that a worker finds the commands. Called before they are stored. Mark it again afterwards. */
  readonly mark: () => Promise<void>
}

/**
 * Stores work for a job, even if the job does not exist: one command for each part. Rejects if the store fails. The job then has
 * none of the work, also after a crash, unless the store failed after it had written the list of commands: then it has all of it.
 */
export async function sendMore(
  storage: CommandStorage,
  id: string,
  parts: readonly Json[],
  { keep, mark }: SendOptions,
): Promise<void> {
  const { store } = storage
  const name = randomUUID()
  const bodies = new Map(parts.map((body, index) => [`${name}-${index}`, body]))
  const writeBodies = async (): Promise<void> => {
    for (const [part, body] of bodies) {
      await store.set(bodyKeyOf(id, part), packBody(body, storage), keep())
      await nextTurn()
    }
  }
  const generation = store.generation?.()
  await writeBodies()
  await mark()
  // The list is last: a run that finds a command, finds its work.
  const commands = [...bodies.keys()].map((part) => commandLayout.seal({ asks: 'more', part }))
  await addToList(store, keyOf(id), commands, keep())
  // A store that has moved to another server in between may have lost some.
  if (store.generation?.() !== generation) {
    await writeBodies()
    await addMissing(storage, id, commands, keep())
  }
}

/** Adds the commands that the list of commands has lost. */
async function addMissing({ store }: CommandStorage, id: string, commands: readonly Json[], keep: KeepOptions) {
  const partOf = (command: Json): unknown => (command as { readonly part?: Json } | null)?.part
  await store.update(
    keyOf(id),
    (old) => {
      const stored = (old ?? []) as readonly Json[]
      const parts = new Set(stored.map(partOf))
      const missing = commands.filter((command) => !parts.has(partOf(command)))
      return missing.length > 0 || old === undefined ? [...stored, ...missing] : old
    },
    keep,
  )
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
