import {
  type Clock,
  EngineError,
  type KeepOptions,
  type Store,
  type UpdateOptions,
  type Value,
} from '@harvestman/ports'
import { keyLocks, listBounds, notAList, packValue, unpackValue, type Packed } from '@harvestman/ports/stores'
import { loneView } from '@harvestman/ports/values'
import { openCalls, type Calls } from '@harvestman/toolbox/calls'

import { checkAddress } from './check-address.ts'
import { openDatabase, type Database, type PostgresConnection, type Row, type Statement } from './client.ts'
import type { RawRow } from './copy-out.ts'
import { postgresClosed } from './errors.ts'
import { makeGet, type Get } from './get.ts'
import { makePut, makeReplace, type ReplaceRow } from './put.ts'
import { setUp, statementsIn, tableLayout } from './statements.ts'
import { watchTable } from './watch.ts'

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** Schema of the tables, which are created at first use. Default: `harvestman`. */
  readonly schema?: string
  /** Maximum time in milliseconds to wait for a connection, and again for the response. Default: 10,000. */
  readonly timeout?: number
  /** Maximum number of connections, plus one for watched keys. Default: 8. */
  readonly connections?: number
  /** Clock for expiry. By default the clock of the server is used, so that differences between hosts do not matter. */
  readonly clock?: Pick<Clock, 'now'>
}

const sweepEvery = 30_000
// This byte does not occur in UTF-8, so it sorts after every key.
const behindAll = Buffer.from([0xff])

/**
 * Stores values in Postgres, version 12 or later, shared by all processes that use the schema. Connects when it is first used.
 * Throws `invalid_request` for an invalid address or schema name. Failures of Postgres reject with `store_failed`, calls after
 * `close` with `closed`, and tables of a newer version with `newer_version`.
 */
export function postgresStore(address: PostgresConnection, options: PostgresStoreOptions = {}): Store {
  checkAddress('postgresStore', address)
  const { schema = 'harvestman', timeout = 10_000, connections = 8, clock } = options
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new EngineError('invalid_request', 'The schema of a Postgres store is a name of small letters, digits and _.')
  const database = openDatabase(address, { timeout, connections })
  const table = tableIn(database, schema, clock)
  const watched = watchTable(database, schema)
  const calls = openCalls(() => postgresClosed('store'))
  let nextSweep = 0

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await calls.run(async () => {
      await table.ready()
      return work()
    })
    // Only after a success: a sweep that tries to connect would delay `close`.
    if (calls.isOpen && performance.now() >= nextSweep) {
      nextSweep = performance.now() + sweepEvery
      void table.sweep().catch(() => undefined)
    }
    return result
  }

  return {
    reach: 'shared',
    ...readsOf(table, run),
    ...writesOf(table, run),
    watch: (key, changed) => run(() => watched.watch(key, changed)),
    ...(database.generation && { generation: database.generation }),
    async close() {
      if (!calls.isOpen) return
      await calls.close()
      watched.close()
      await database.close()
    },
  }
}

/** The table of a store. */
interface Table {
  readonly statements: ReturnType<typeof statementsIn>
  ask(statement: Statement, ...values: readonly unknown[]): Promise<readonly Row[]>
  /** Reads a value. Long bytes are not part of the row and are read by a copy. */
  readonly get: Get
  /** Reads the rows that exist. */
  getMany(names: readonly Buffer[]): Promise<readonly Row[]>
  /** Resolves when the table exists. */
  ready(): Promise<void>
  /** Deletes expired values. */
  sweep(): Promise<void>
}

function tableIn(database: Database, schema: string, clock: PostgresStoreOptions['clock']): Table {
  const statements = statementsIn(schema, database.copyOut !== undefined)
  const time = (): number | null => clock?.now() ?? null
  const ask: Table['ask'] = (statement, ...values) => database.run(statement, [time(), ...values])
  const copy = async (names: readonly Buffer[]): Promise<readonly Row[]> =>
    (await database.copyOut?.(statements.copy(names, time())))?.map(rowOf) ?? []
  let prepared: Promise<void> | undefined
  return {
    statements,
    ask,
    get: makeGet({ statements, ask, copy: async (name) => (await copy([name]))[0] }),
    getMany: async (names) => {
      const rows = await ask(statements.getMany, names)
      const long = rows.filter((row) => row['long'])
      if (long.length === 0) return rows
      return [...rows.filter((row) => !row['long']), ...(await copy(long.map((row) => row['key'] as Buffer)))]
    },
    ready: async () => {
      prepared ??= prepare(database, schema, statements.layout)
      await prepared.catch((error: unknown) => {
        prepared = undefined
        throw error
      })
    },
    sweep: async () => {
      while ((await ask(statements.sweep)).length > 0);
    },
  }
}

function readsOf({ statements, ask, get, getMany }: Table, run: Calls['run']) {
  return {
    get: (key) => run(async () => valueOf(await get(bytesOf(key)))),
    getMany: (keys) =>
      run(async () => {
        const rows = keys.length > 0 ? await getMany([...new Set(keys)].map(bytesOf)) : []
        const found = new Map(rows.map((row) => [keyOf(row), row]))
        const seen = new Set<string>()
        // A key that was requested twice is returned as two separate objects.
        return keys.map((key) => {
          const value = valueOf(found.get(key))
          if (seen.has(key) && value instanceof Uint8Array) return new Uint8Array(value)
          seen.add(key)
          return value
        })
      }),
    has: (keys) =>
      run(async () => {
        const rows = keys.length > 0 ? await ask(statements.has, [...new Set(keys)].map(bytesOf)) : []
        const found = new Set(rows.map(keyOf))
        return keys.map((key) => found.has(key))
      }),
    list: (prefix, options) =>
      run(async () => {
        const { from, to } = listBounds(prefix, options)
        const end = to === undefined ? behindAll : bytesOf(to)
        const statement = options.isReverse ? statements.listBack : statements.list
        const rows = await ask(statement, bytesOf(from), end, options.limit)
        return rows.map((row) => ({ key: keyOf(row), value: valueOf(row) as Value }))
      }),
    async *scan(beginning) {
      const [from, end] = [bytesOf(beginning), endOf(bytesOf(beginning))]
      let after: Buffer | null = null
      for (;;) {
        const last: Buffer | null = after
        const rows = await run(() => ask(statements.scan, from, last, end))
        if (rows.length === 0) return
        after = rows.at(-1)?.['key'] as Buffer
        yield rows.map((row) => {
          const ttl = row['ttl'] as number | null
          return { key: keyOf(row), value: valueOf(row) as Value, ...(ttl !== null && { ttl }) }
        })
      }
    },
  } satisfies Partial<Store>
}

function writesOf(table: Table, run: Calls['run']) {
  const { statements, ask } = table
  const put = makePut(statements, ask)
  const replace = makeReplace(statements, ask)
  const locks = keyLocks()
  // Calls for one key run sequentially, because each may use a different connection.
  const write = <T>(key: string, work: () => Promise<T>): Promise<T> => run(() => locks.write(key, work))
  return {
    set: async (key, value, options) => {
      const packed = packValue(key, value)
      const name = bytesOf(key)
      await write<unknown>(key, () =>
        isExpired(options) ? ask(statements.drop, name) : put([name, ttlOf(options), ...columns(packed)]),
      )
    },
    update: (key, change, options) => write(key, () => update({ key, change, options, table, replace })),
    add: async (key, items, options) => {
      const text = packValue(key, items)
      await write(key, async () => {
        if ((await ask(statements.add, bytesOf(key), ttlOf(options), text)).length === 0) throw notAList(key)
      })
    },
    delete: async (key) => {
      await write(key, () => ask(statements.drop, bytesOf(key)))
    },
  } satisfies Partial<Store>
}

async function prepare(database: Database, schema: string, layout: Statement): Promise<void> {
  await database.mustKeepSessions()
  const [row] = await database.run(layout, [])
  const found = Number(/^harvestman layout (\d+)$/.exec(String(row?.['layout']))?.[1] ?? 0)
  if (found > tableLayout)
    throw new EngineError('newer_version', `The tables in ${schema} were made by a newer version. Use that one.`)
  // A user without permission to create tables can use existing ones.
  if (found < tableLayout) await database.script(setUp(schema))
}

interface Update {
  readonly key: string
  readonly change: (old: Value | undefined) => Value | undefined
  readonly options: UpdateOptions | undefined
  readonly table: Table
  readonly replace: (row: ReplaceRow) => Promise<boolean>
}

async function update({ key, change, options, table, replace }: Update): Promise<Value | undefined> {
  const { statements, ask, get } = table
  const name = bytesOf(key)
  for (let isNew = options?.isNew === true; ; isNew = false) {
    const row = isNew ? undefined : await get(name)
    const old = valueOf(row)
    const value = change(old)
    // Nothing was read, so a change that writes nothing must first read the value.
    if (isNew && (value === undefined || isExpired(options))) continue
    if (value === old) return value
    const version = row?.['version']
    if (value === undefined || isExpired(options)) {
      // The value must be checked to be JSON or bytes even if it expires at once.
      if (value !== undefined) packValue(key, value)
      if (row === undefined || (await ask(statements.dropSeen, name, version)).length > 0) return value
      continue
    }
    const parameters = [name, ttlOf(options), ...columns(packValue(key, value))] as const
    const isWritten = row
      ? await replace([...parameters, version])
      : (await ask(statements.putNew, ...parameters)).length > 0
    if (isWritten) return value
  }
}

function columns(packed: Packed): readonly [string | null, Buffer | null] {
  if (typeof packed === 'string') return [packed, null]
  return [null, Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)]
}

function valueOf(row: Row | undefined): Value | undefined {
  if (!row) return undefined
  const bytes = row['bytes'] as Buffer | null
  if (!bytes) return unpackValue(row['json'] as string)
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return row['isAlone'] ? loneView(view) : view
}

/** Converts a row of a copy, which is alone in its buffer. */
function rowOf([key, json, bytes, version]: RawRow): Row {
  return { key, json: json?.toString() ?? null, bytes, version: version?.toString(), isAlone: true }
}

function bytesOf(key: string): Buffer {
  return Buffer.from(key)
}

function keyOf(row: Row): string {
  return (row['key'] as Buffer).toString('utf8')
}

/**
 * Returns the first key after all keys with this prefix; null if there is no limit. The last byte can be increased, because
 * 0xff does not occur in UTF-8.
 */
function endOf(beginning: Buffer): Buffer | null {
  if (beginning.length === 0) return null
  const end = Buffer.from(beginning)
  end[end.length - 1] = (end.at(-1) ?? 0) + 1
  return end
}

function ttlOf(options: KeepOptions | undefined): number | null {
  const ttl = options?.ttl
  return ttl === undefined || ttl === Infinity ? null : ttl
}

// Also true for `NaN`.
function isExpired(options: KeepOptions | undefined): boolean {
  return options?.ttl !== undefined && !(options.ttl > 0)
}
