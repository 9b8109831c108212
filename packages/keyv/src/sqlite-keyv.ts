import { keyvStorageCapability, type KeyvStorageEntry } from 'keyv'

import { storeFailed } from './errors.ts'
import { groupCommit } from './group-commit.ts'
import type { Row } from './sqlite-file.ts'
import type { SqliteOptions } from './transactions.ts'

/**
 * Creates a storage adapter for Keyv on a SQLite file. With `serialization: false` in the Keyv it stores strings and bytes
 * unchanged, and rejects other values. It rejects with `store_failed` on failure and has no `on`, because Keyv ignores failures
 * of adapters with events.
 */
export function sqliteKeyv(file: string, options: SqliteOptions = {}) {
  const { read, write, close } = groupCommit(file, 'keyv', options)
  const adapter = {
    namespace: undefined as string | undefined,
    get: async (key: string) => (await adapter.getMany([key]))[0],
    getMany: async (keys: readonly string[]) => (await read(keys.map(keyOf))).map((row) => row && fromRow(row)),
    has: async (key: string) => (await adapter.hasMany([key]))[0] === true,
    hasMany: async (keys: readonly string[]) => (await read(keys.map(keyOf))).map((row) => row !== undefined),
    set: async (key: string, value: unknown, expires?: number) => {
      const row = toRow(value, expires)
      await write(row.value.length, (table) => table.put(keyOf(key), row))
      return true
    },
    setMany: (entries: readonly KeyvStorageEntry<unknown>[]) =>
      Promise.all(entries.map(({ key, value, expires }) => adapter.set(key, value, expires))),
    delete: (key: string) => write(0, (table) => table.drop(keyOf(key))),
    deleteMany: (keys: readonly string[]) => Promise.all(keys.map((key) => adapter.delete(key))),
    clear: () => write(0, (table) => table.clear(keyOf(''))),
    disconnect: close,
  }
  const keyOf = (key: string) => (adapter.namespace ? `${adapter.namespace}::${key}` : key)
  return Object.assign(adapter, { capabilities: keyvStorageCapability(adapter) })
}

// A serialized value is a string and is marked with `s`. Otherwise the value is Keyv's own envelope: a string in it is marked
// with `r`, and bytes need no mark.
function toRow(value: unknown, expires = Infinity): Row {
  if (typeof value === 'string') return { value: `s${value}`, expires }
  const inner: unknown = value !== null && typeof value === 'object' && 'value' in value ? value.value : undefined
  if (typeof inner === 'string') return { value: `r${inner}`, expires }
  if (inner instanceof Uint8Array) return { value: inner, expires }
  throw storeFailed('sqliteKeyv stores strings and bytes only. Leave the serialization of the Keyv on.')
}

function fromRow({ value, expires }: Row): unknown {
  if (typeof value === 'string' && value.startsWith('s')) return value.slice(1)
  const inner = typeof value === 'string' ? value.slice(1) : value
  return expires === Infinity ? { value: inner } : { value: inner, expires }
}
