import {
  type Clock,
  EngineError,
  type Json,
  type KeptEntry,
  type ListedEntry,
  type ListOptions,
  listedKeys,
  type Store,
  type Value,
  systemClock,
} from '@harvestman/ports'
import {
  appendToList,
  expiryOf,
  fillPage,
  isLive,
  keyWatchers,
  type Packed,
  packValue,
  sortedKeys,
  unpackValue,
} from '@harvestman/ports/stores'
import { isFrozenJson } from '@harvestman/ports/values'
import { spareKeys, type Forgotten, type SpareKey } from './spare-keys.ts'

export interface MemoryStoreOptions {
  readonly clock?: Clock
  /** Maximum size in bytes of values with `isSpare`; beyond it, the oldest are removed. Unlimited when absent. */
  readonly bytes?: number
  /** Called with the removed values. */
  readonly forgot?: (gone: readonly Forgotten[]) => void
}

// JSON is stored as a string and bytes as a copy, and every reader gets a new copy: stored values cannot be changed, and are
// returned as by a store on disk. Only frozen JSON is stored and passed to `change` without a copy.
interface Entry {
  readonly stored: StoredValue
  readonly expires: number
  /** Its entry among the values that may be removed early. */
  readonly spare: SpareKey | undefined
}

/** A value from `frozenJson`. */
type Frozen = Json & object
type StoredValue = Packed | Frozen

// Number of entries checked in each call: enough to remove expired values faster than new ones arrive.
const sweepStep = 2
const scanned = 64

/** Creates a store of values in the memory of this process. Calls after `close` reject with `closed`. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const { clock = systemClock } = options
  const watchers = keyWatchers()
  const entries = makeEntries(options, watchers.tell)
  let isOpen = true

  const begin = (): number => {
    if (!isOpen) throw new EngineError('closed', 'The store was closed. Create a new one.')
    const now = clock.now()
    entries.sweep(now)
    return now
  }

  return {
    reach: 'process',
    get: async (key) => entries.read(key, begin()),
    async getMany(keys) {
      const now = begin()
      return keys.map((key) => entries.read(key, now))
    },
    has: async (keys) => {
      const now = begin()
      return keys.map((key) => entries.find(key, now) !== undefined)
    },
    async set(key, value, options) {
      const now = begin()
      entries.put(key, pack(key, value), expiryOf(now, options), options?.isSpare)
    },
    // Atomic, because nothing is awaited between reading and writing.
    async update(key, change, options) {
      const now = begin()
      const entry = entries.find(key, now)
      const old = entry && (isFrozen(entry.stored) ? entry.stored : unpack(entry.stored))
      const value = change(old)
      if (value === old) return old
      if (value === undefined) entries.drop(key)
      else entries.put(key, pack(key, value), expiryOf(now, options, entry?.expires), options?.isSpare)
      return value
    },
    async add(key, items, options) {
      const now = begin()
      const entry = entries.find(key, now)
      const list = appendToList(key, entry && packed(key, entry.stored), items)
      entries.put(key, list, expiryOf(now, options, entry?.expires))
    },
    async watch(key, changed) {
      begin()
      return watchers.add(key, changed)
    },
    list: async (prefix, options) => entries.list(prefix, options, begin()),
    scan: (beginning) => scanOf(entries, begin, beginning),
    async delete(key) {
      begin()
      entries.drop(key)
    },
    async close() {
      isOpen = false
      watchers.clear()
      entries.clear()
    },
  }
}

/** The stored entries. Watchers of a key are notified when it changes. */
function makeEntries({ bytes = Infinity, forgot = () => undefined }: MemoryStoreOptions, tell: (key: string) => void) {
  const entries = new Map<string, Entry>()
  const listed = sortedKeys()
  const spares = spareKeys(bytes)
  const remove = (key: string): boolean => {
    const spare = entries.get(key)?.spare
    if (spare) spares.forget(spare)
    if (key.startsWith(listedKeys)) listed.delete(key)
    return entries.delete(key)
  }
  const find = (key: string, now: number): Entry | undefined => {
    const entry = entries.get(key)
    if (!entry || isLive(entry.expires, now)) return entry
    remove(key)
    return undefined
  }
  const drop = (key: string): void => {
    if (remove(key)) tell(key)
  }
  const put = (key: string, kept: StoredValue, expires: number, isSpare = false): void => {
    const before = entries.get(key)?.spare
    if (before) spares.forget(before)
    entries.set(key, { stored: kept, expires, spare: isSpare ? spares.keep(key, sizeOf(key, kept)) : undefined })
    if (key.startsWith(listedKeys)) listed.add(key)
    tell(key)
    if (!isSpare) return
    const evicted = spares.excess()
    for (const one of evicted) drop(one.key)
    if (evicted.length > 0) forgot(evicted)
  }
  return {
    find,
    read: (key: string, now: number): Value | undefined => {
      const entry = find(key, now)
      return entry && unpack(entry.stored)
    },
    drop,
    put,
    sweep: sweeper(entries, remove),
    keys: () => entries.keys(),
    list: (prefix: string, options: ListOptions, now: number) =>
      fillPage(options, (part) => {
        const keys = listed.page(prefix, part)
        return { keys, entries: keys.flatMap((key) => listedEntry(key, find(key, now))) }
      }),
    clear: () => entries.clear(),
  }
}

async function* scanOf(
  entries: ReturnType<typeof makeEntries>,
  begin: () => number,
  beginning: string,
): AsyncGenerator<readonly KeptEntry[]> {
  begin()
  const keys = [...entries.keys()].filter((key) => key.startsWith(beginning))
  for (let start = 0; start < keys.length; start += scanned) {
    const now = begin()
    yield keys.slice(start, start + scanned).flatMap((key) => entryOf(key, entries.find(key, now), now))
  }
}

// There is no timer, which would keep the process alive or have to be stopped: each call checks a few keys, cyclically.
function sweeper(entries: Map<string, Entry>, remove: (key: string) => void): (now: number) => void {
  let cursor = entries.entries()
  return (now) => {
    for (let step = 0; step < sweepStep; step += 1) {
      const { value, done } = cursor.next()
      if (done) {
        cursor = entries.entries()
        return
      }
      if (!isLive(value[1].expires, now)) remove(value[0])
    }
  }
}

function listedEntry(key: string, entry: Entry | undefined): readonly ListedEntry[] {
  return entry ? [{ key, value: unpack(entry.stored) }] : []
}

function entryOf(key: string, entry: Entry | undefined, now: number): readonly KeptEntry[] {
  if (!entry) return []
  const { stored, expires } = entry
  return [{ key, value: unpack(stored), ...(expires < Infinity && { ttl: expires - now }) }]
}

// Memory of an entry in addition to its value.
const overhead = 200

function sizeOf(key: string, kept: StoredValue): number {
  const { length } = packed(key, kept)
  return overhead + 2 * key.length + (kept instanceof Uint8Array ? length : 2 * length)
}

function pack(key: string, value: Value): StoredValue {
  if (isFrozen(value)) return value
  // `Buffer.from` allocates small buffers from a pool, which costs less than an allocation for each.
  return value instanceof Uint8Array ? Buffer.from(value) : packValue(key, value)
}

function packed(key: string, kept: StoredValue): Packed {
  return isFrozen(kept) ? packValue(key, kept) : kept
}

function unpack(kept: StoredValue): Value {
  if (kept instanceof Uint8Array) return new Uint8Array(kept)
  return unpackValue(isFrozen(kept) ? packValue('', kept) : kept)
}

function isFrozen(value: Value): value is Frozen {
  return isFrozenJson(value)
}
