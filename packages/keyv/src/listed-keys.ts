import type { ListOptions } from '@harvestman/ports'
import { keyLocks, parseStored, sortedKeys } from '@harvestman/ports/stores'

import type { Envelopes } from './keyv-client.ts'

/** Index of the listed keys of a Keyv. It must be updated before each write, and after each deletion. */
export interface ListedKeys {
  note(key: string, expires: number): Promise<void>
  forget(key: string): Promise<void>
  page(prefix: string, options: ListOptions): Promise<readonly string[]>
}

// A Keyv cannot list its keys in order, and with some backends not at all. So the listed keys and their expiry times are stored
// in index rows, and held in order in memory. A row is rewritten with each added or deleted key, so there are several rows; the
// hash of a key determines its row.
const rows = 32
const rowKey = (row: number): string => `\0listed/${row}`

type Row = ReadonlyMap<string, number>

/**
 * Creates the index of the listed keys of a Keyv, which is read at first use. No other store may write to this Keyv. Its calls
 * reject with `store_failed` if the Keyv fails. `now` returns milliseconds.
 */
export function listedKeysIn(envelopes: Envelopes, now: () => number): ListedKeys {
  const sorted = sortedKeys()
  const locks = keyLocks()
  let loading: Promise<Row[]> | undefined

  const load = async (): Promise<Row[]> => {
    const envelopesRead = await envelopes.readMany(Array.from({ length: rows }, (_, row) => rowKey(row)))
    const all = envelopesRead.map((envelope): Row => (envelope ? rowIn(envelope.packed as string) : new Map()))
    for (const row of all) for (const key of row.keys()) sorted.add(key)
    return all
  }
  // Read once, because no other store writes to this Keyv.
  const loaded = (): Promise<Row[]> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  const change = async (key: string, make: (row: Row) => Row): Promise<void> => {
    const all = await loaded()
    const number = rowOf(key)
    await locks.write(rowKey(number), async () => {
      const row = all[number] ?? new Map<string, number>()
      const next = make(row)
      if (next === row) return
      await envelopes.write(rowKey(number), { packed: textOf(next), expires: Infinity })
      all[number] = next
      for (const one of row.keys()) if (!next.has(one)) sorted.delete(one)
      for (const one of next.keys()) if (!row.has(one)) sorted.add(one)
    })
  }
  return {
    note: (key, expires) =>
      change(key, (row) => {
        // The later of two expiry times, because the write that this is for may fail.
        const until = Math.max(row.get(key) ?? 0, expires)
        if (row.get(key) === until) return row
        return new Map([...row].filter(([, end]) => end > now())).set(key, until)
      }),
    forget: (key) => change(key, (row) => (row.has(key) ? new Map([...row].filter(([one]) => one !== key)) : row)),
    page: async (prefix, options) => {
      await loaded()
      return sorted.page(prefix, options)
    },
  }
}

function rowOf(key: string): number {
  let hash = 0
  for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0
  return (hash >>> 0) % rows
}

function rowIn(text: string): Row {
  const pairs = parseStored(text) as readonly (readonly [string, number | null])[]
  return new Map(pairs.map(([key, end]) => [key, end ?? Infinity]))
}

/** `Infinity` becomes null in JSON. */
function textOf(row: Row): string {
  return JSON.stringify([...row])
}
