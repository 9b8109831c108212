import { EngineError } from '@harvestman/ports'
import type { KeptEntry, Store, Value } from '@harvestman/ports'

import { openStore, shownAddress } from './services.ts'

/** What is copied from one store to another. */
export interface CopyOptions {
  /** Addresses of stores, as in the configuration. */
  readonly from: string
  readonly to: string
  /** Takes away what the target holds of its own. Without it, only an empty target or an earlier copy is written to. */
  readonly replace?: boolean | undefined
  /** Is told how far it is, from time to time. */
  readonly progress?: (done: CopyReport) => void
}

/** What a copy has done. */
export interface CopyReport {
  /** Entries that were written. */
  readonly copied: number
  /** Entries that the target had already, from an earlier copy. */
  readonly same: number
  /** Entries of the target that the source has not, or no more. */
  readonly removed: number
}

/** Says where a store was copied from, so that a second copy may bring it up to date. */
const mark = 'copy/from'

/**
 * Copies all that is kept to another store. A second copy writes only what has changed since, and takes away what has
 * gone: copy once while the server runs, and again when it has stopped.
 */
export async function copyStore({ from, to, replace = false, progress }: CopyOptions): Promise<CopyReport> {
  const source = await opened(from)
  const target = await opened(to)
  try {
    await checkTarget(target, shownAddress(from), replace)
    const done = { copied: 0, same: 0, removed: 0 }
    for await (const entries of scanned(source, from)) {
      const changes = await changesIn(entries, target)
      for (const { key, value, ttl } of changes) await target.set(key, value, ttl === undefined ? {} : { ttl })
      done.copied += changes.length
      done.same += entries.length - changes.length
      progress?.({ ...done })
    }
    for await (const entries of scanned(target, to)) {
      const keys = entries.map(({ key }) => key).filter((key) => key !== mark)
      const kept = await getAll(source, keys)
      const gone = keys.filter((_, index) => kept[index] === undefined)
      for (const key of gone) await target.delete(key)
      done.removed += gone.length
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
    `${address} is no store that outlives a process, so there is nothing to copy.`,
  )
}

function scanned(store: Store, address: string): AsyncIterable<readonly KeptEntry[]> {
  if (store.scan) return store.scan('')
  throw new EngineError('invalid_request', `The store at ${shownAddress(address)} cannot list what it keeps.`)
}

async function checkTarget(target: Store, source: string, replace: boolean): Promise<void> {
  const earlier = await target.get(mark)
  if (earlier !== source && !replace && !(await isEmpty(target)))
    throw new EngineError(
      'conflict',
      'The target holds something of its own. Give an empty one, or --replace to have it taken away.',
    )
  await target.set(mark, source)
}

async function isEmpty({ scan }: Store): Promise<boolean> {
  for await (const entries of scan?.('') ?? []) if (entries.length > 0) return false
  return true
}

/** The entries that the target has not, or not so. */
async function changesIn(entries: readonly KeptEntry[], target: Store): Promise<readonly KeptEntry[]> {
  const own = entries.filter(({ key }) => key !== mark)
  const there = await getAll(
    target,
    own.map(({ key }) => key),
  )
  return own.filter(({ value }, index) => !isEqual(value, there[index]))
}

function isEqual(one: Value, other: Value | undefined): boolean {
  if (one instanceof Uint8Array || other instanceof Uint8Array)
    return one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0
  return JSON.stringify(one) === JSON.stringify(other)
}

async function getAll(store: Store, keys: readonly string[]): Promise<readonly (Value | undefined)[]> {
  return (await store.getMany?.(keys)) ?? Promise.all(keys.map((key) => store.get(key)))
}
