import { EngineError } from '@harvestman/ports'
import type { KeptEntry, Store, Value } from '@harvestman/ports'

import { openStore, withoutCredentials } from './services.ts'

/** Options of `copyStore`. */
export interface CopyOptions {
  /** URLs of the stores, as in the configuration. */
  readonly from: string
  readonly to: string
  /** Deletes other entries of the target. Without it, the target must be empty or an earlier copy of the same source. */
  readonly replace?: boolean | undefined
  /** Called with the progress after each batch of entries. */
  readonly progress?: (done: CopyReport) => void
}

/** Result of a copy. */
export interface CopyReport {
  /** Entries that were written. */
  readonly copied: number
  /** Entries that the target already had from an earlier copy. */
  readonly same: number
  /** Entries that were deleted because the source does not have them. */
  readonly removed: number
}

/** Key in the target that stores the source of the copy, so that a second copy may update it. */
const mark = 'copy/from'

/**
 * Copies all entries to another store. A second copy writes only changed entries and deletes entries that the source no longer
 * has, so copy once while the server runs, and again after it has stopped. Rejects with `conflict` if the target has data of
 * its own, unless `replace` is set, and with `invalid_request` if a store is not persistent. Both stores are closed after the
 * copy.
 */
export async function copyStore({ from, to, replace = false, progress }: CopyOptions): Promise<CopyReport> {
  const source = await opened(from)
  const target = await opened(to).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  try {
    await checkTarget(target, withoutCredentials(from), replace)
    const expiries = await expiriesOf(target, to)
    const done = { copied: 0, same: 0, removed: 0 }
    for await (const entries of scanned(source, from)) {
      const changes = await changesIn(entries, target, expiries)
      for (const { key, value, ttl } of changes) await target.set(key, value, ttl === undefined ? {} : { ttl })
      done.copied += changes.length
      done.same += entries.length - changes.length
      progress?.({ ...done })
    }
    for await (const entries of scanned(target, to)) {
      const keys = entries.map(({ key }) => key).filter((key) => key !== mark)
      const values = await getAll(source, keys)
      const removed = keys.filter((_, index) => values[index] === undefined)
      for (const key of removed) await target.delete(key)
      done.removed += removed.length
    }
    return done
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

async function opened(address: string): Promise<Store> {
  const store = await openStore(address)
  if (store) return store
  throw new EngineError(
    'invalid_request',
    `${withoutCredentials(address)} is not a persistent store. Use sqlite:<file>, redis://… or postgres://….`,
  )
}

function scanned(store: Store, address: string): AsyncIterable<readonly KeptEntry[]> {
  if (store.scan) return store.scan('')
  throw new EngineError('invalid_request', `The store at ${withoutCredentials(address)} cannot list its keys.`)
}

async function checkTarget(target: Store, source: string, replace: boolean): Promise<void> {
  const earlier = await target.get(mark)
  if (earlier !== source && !replace && !(await isEmpty(target)))
    throw new EngineError('conflict', 'The target is not empty. Pass an empty one, or --replace to delete its data.')
  await target.set(mark, source)
}

async function isEmpty({ scan }: Store): Promise<boolean> {
  for await (const entries of scan?.('') ?? []) if (entries.length > 0) return false
  return true
}

/** Expiry times of entries by key, in milliseconds since 1970. Entries that do not expire are absent. */
type Expiries = ReadonlyMap<string, number>

async function expiriesOf(store: Store, address: string): Promise<Expiries> {
  const expiries = new Map<string, number>()
  for await (const entries of scanned(store, address)) {
    const now = Date.now()
    for (const { key, ttl } of entries) if (ttl !== undefined) expiries.set(key, now + ttl)
  }
  return expiries
}

/** Returns the entries that the target lacks, or has with another value or expiry. */
async function changesIn(
  entries: readonly KeptEntry[],
  target: Store,
  expiries: Expiries,
): Promise<readonly KeptEntry[]> {
  const now = Date.now()
  const own = entries.filter(({ key }) => key !== mark)
  const there = await getAll(
    target,
    own.map(({ key }) => key),
  )
  return own.filter(({ key, value, ttl }, index) => {
    const expiry = ttl === undefined ? undefined : now + ttl
    return !isEqual(value, there[index]) || !isSameTime(expiry, expiries.get(key))
  })
}

// Milliseconds by which two expiries may differ, because each is computed from a ttl that was read a little earlier.
const tolerance = 1_000

function isSameTime(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return Math.abs(one - other) <= tolerance
}

function isEqual(one: Value, other: Value | undefined): boolean {
  if (one instanceof Uint8Array || other instanceof Uint8Array)
    return one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0
  return JSON.stringify(one) === JSON.stringify(other)
}

async function getAll(store: Store, keys: readonly string[]): Promise<readonly (Value | undefined)[]> {
  return (await store.getMany?.(keys)) ?? Promise.all(keys.map((key) => store.get(key)))
}
