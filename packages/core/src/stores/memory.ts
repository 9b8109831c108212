import { EngineError } from '../errors/error.ts'
import { systemClock } from '../lib/clock.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeepOptions, Store } from '../ports/store.ts'
import type { Value } from '../ports/value.ts'

export interface MemoryStoreOptions {
  readonly clock?: Clock
}

// JSON is kept as text and bytes as a copy, and every reader gets a fresh one: nobody can change what is kept, and what
// comes back is what a store on a disk would give back.
type Kept = string | Uint8Array

interface Entry {
  readonly kept: Kept
  readonly expires: number
}

// Looked at in each call: enough that what has expired is dropped sooner than new values come in.
const sweepStep = 4

/** Keeps values in this process, and forgets them with it. */
export function memoryStore({ clock = systemClock }: MemoryStoreOptions = {}): Store {
  const entries = new Map<string, Entry>()
  const sweep = sweeper(entries)
  let isOpen = true

  const mustBeOpen = () => {
    if (!isOpen) throw new EngineError('closed', 'The store was closed. Make a new one to go on.')
  }
  const find = (key: string, now: number): Entry | undefined => {
    const entry = entries.get(key)
    if (!entry || isLive(entry, now)) return entry
    entries.delete(key)
    return undefined
  }
  const begin = (): number => {
    mustBeOpen()
    const now = clock.now()
    sweep(now)
    return now
  }
  const read = (key: string, now: number): Value | undefined => {
    const entry = find(key, now)
    return entry && unpack(entry.kept)
  }

  return {
    reach: 'process',
    async get(key) {
      return read(key, begin())
    },
    async getMany(keys) {
      const now = begin()
      return keys.map((key) => read(key, now))
    },
    async set(key, value, options) {
      const now = begin()
      entries.set(key, { kept: pack(key, value), expires: expiry(now, options) ?? Infinity })
    },
    // One step because nothing is awaited between reading and writing.
    async update(key, change, options) {
      const now = begin()
      const entry = find(key, now)
      const old = entry && unpack(entry.kept)
      const value = change(old)
      if (value === old) return old
      if (value === undefined) entries.delete(key)
      else entries.set(key, { kept: pack(key, value), expires: expiry(now, options) ?? entry?.expires ?? Infinity })
      return value
    },
    async delete(key) {
      begin()
      entries.delete(key)
    },
    async close() {
      isOpen = false
      entries.clear()
    },
  }
}

// There is no timer, which would hold the process or need care: each call looks at a few keys, round and round.
function sweeper(entries: Map<string, Entry>): (now: number) => void {
  let cursor = entries.entries()
  return (now) => {
    for (let step = 0; step < sweepStep; step += 1) {
      const { value, done } = cursor.next()
      if (done) {
        cursor = entries.entries()
        return
      }
      if (!isLive(value[1], now)) entries.delete(value[0])
    }
  }
}

// Written so that a ttl that is not a number means gone, never kept for ever.
const isLive = (entry: Entry, now: number): boolean => now < entry.expires

function expiry(now: number, options: KeepOptions | undefined): number | undefined {
  return options?.ttl === undefined ? undefined : now + options.ttl
}

function pack(key: string, value: Value): Kept {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new EngineError('store_failed', `What was given for "${key}" is not JSON. Give JSON or bytes.`, { cause })
  }
  if (text === undefined)
    throw new EngineError('store_failed', `What was given for "${key}" is not JSON. Give JSON or bytes.`)
  return text
}

function unpack(kept: Kept): Value {
  return typeof kept === 'string' ? (JSON.parse(kept) as Value) : new Uint8Array(kept)
}
