// @module-tag postgres
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { EngineError } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import {
  durableStoreContract,
  failingStoreContract,
  failureOf,
  serverStoreContract,
  sharedStoreContract,
  storeContract,
} from '@harvestman/testing'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { postgresStore, type PostgresStoreOptions } from '../src/index.ts'
import { startPostgres, type PostgresServer } from './server.ts'

// What the contract asks for does not need the disk.
const quick = ['fsync=off', 'max_connections=400']
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(...quick)
})
afterAll(() => server?.remove())

const schema = (): string => `s${randomUUID().replaceAll('-', '')}`

/** A server for a test alone, which goes with it. */
async function startOwn(...settings: readonly string[]): Promise<PostgresServer> {
  const own = await startPostgres(...settings)
  onTestFinished(() => own.remove())
  return own
}

function open(options: PostgresStoreOptions = {}, url = server.url): Store {
  const store = postgresStore(url, { schema: schema(), ...options })
  onTestFinished(() => store.close())
  return store
}

async function raw(url = server.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

describe('postgresStore keeps the contract', () => {
  for (const { name, run } of storeContract)
    test(name, () => run(({ clock }) => postgresStore(server.url, { schema: schema(), clock })))
  for (const { name, run } of [...durableStoreContract, ...sharedStoreContract])
    test(name, () =>
      run(({ clock }) => {
        const own = schema()
        return { open: () => postgresStore(server.url, { schema: own, clock }) }
      }),
    )
})

describe('where the server tells the time', () => {
  test('what has expired leaves the table', async () => {
    const own = schema()
    const store = open({ schema: own })
    await store.set('key', 1, { ttl: 1 })
    await new Promise((resolve) => setTimeout(resolve, 10))
    const later = open({ schema: own })
    await later.get('other')
    const client = await raw()
    const rows = async () => (await client.query(`SELECT 1 FROM ${own}.kept`)).rowCount
    await expect.poll(rows).toBe(0)
  })
})

describe('a server of its own', { tags: ['long'] }, () => {
  let own: PostgresServer
  beforeAll(async () => {
    own = await startPostgres()
  })
  afterAll(() => own?.remove())
  // The test before may have left it killed.
  beforeEach(() => own.start())

  for (const { name, run } of serverStoreContract)
    test(name, () =>
      run(async () => ({
        ...own,
        open: (options) => postgresStore(own.url, { schema: schema(), ...options }),
        // The next test goes on with it.
        remove: async () => own.signal('SIGCONT'),
      })),
    )

  for (const { name, run } of failingStoreContract)
    test(name, () =>
      run(({ clock }) => ({
        store: postgresStore(own.url, { schema: schema(), clock, timeout: 2000 }),
        fail: () => own.kill(),
        heal: () => own.start(),
      })),
    )
})

describe('says why it fails:', () => {
  test('a row that a client holds which does nothing; when that client is killed, writing works again', async () => {
    const own = schema()
    const store = open({ schema: own, timeout: 1000 })
    await store.set('key', 'before')
    const holder = await raw()
    await holder.query('BEGIN')
    await holder.query(`SELECT 1 FROM ${own}.kept FOR UPDATE`)
    expect(await failureOf(store.set('key', 'during'))).toEqual(['store_failed', 'locked'])
    expect(await store.get('key')).toBe('before')
    const {
      rows: [{ pid }],
    } = await holder.query('SELECT pg_backend_pid() AS pid')
    await (await raw()).query('SELECT pg_terminate_backend($1)', [pid])
    await store.set('key', 'after')
    expect(await store.get('key')).toBe('after')
  })

  const waysToWrite = {
    kept: (store: Store, key: string) => store.set(key, 'during'),
    updated: (store: Store, key: string) => store.update(key, () => 'during'),
  }
  for (const [way, write] of Object.entries(waysToWrite)) {
    test(
      `of values that are ${way} together, the one whose row a client holds; the others are written`,
      { tags: ['long'] },
      async () => {
        const own = schema()
        const store = open({ schema: own, timeout: 6000 })
        const keys = ['one', 'held', 'other']
        await Promise.all(keys.map((key) => store.set(key, 'before')))
        const holder = await raw()
        await holder.query('BEGIN')
        await holder.query(`SELECT 1 FROM ${own}.kept WHERE key = 'held' FOR UPDATE`)
        const said = await Promise.all(keys.map((key) => failureOf(write(store, key))))
        expect(said).toEqual(['it succeeded', ['store_failed', 'locked'], 'it succeeded'])
        expect(await store.getMany?.(keys)).toEqual(['during', 'before', 'during'])
        await holder.query('ROLLBACK')
      },
    )
  }

  test(
    'a server with all its connections taken, one that takes no writes, a user without rights, no server',
    { tags: ['long'] },
    async () => {
      const own = await startPostgres(...quick.slice(0, 1), 'max_connections=5', 'superuser_reserved_connections=0')
      const store = open({}, own.url)
      await store.set('key', 1)
      const admin = await raw(own.url)
      await admin.query(`CREATE ROLE guest LOGIN; ALTER ROLE guest SET default_transaction_read_only = on`)
      const asGuest = (url: string) => url.replace('harvestman@', 'guest@')
      expect(await failureOf(open({ schema: 'harvestman' }, asGuest(own.url)).get('key'))).toEqual([
        'store_failed',
        'read-only',
      ])
      await admin.query(`ALTER ROLE guest RESET ALL`)
      expect(await failureOf(open({ schema: 'other' }, asGuest(own.url)).get('key'))).toEqual([
        'store_failed',
        'refused',
      ])
      // Connections of the stores before are given back a moment later.
      for (let refusals = 0; refusals < 5;) {
        const taken = await raw(own.url).catch(() => undefined)
        refusals = taken ? 0 : refusals + 1
        if (!taken) await new Promise((go) => setTimeout(go, 100))
      }
      expect(await failureOf(open({ timeout: 500 }, own.url).get('key'))).toEqual(['store_failed', 'busy'])
      await own.remove()
      expect(await failureOf(open({ timeout: 500 }, own.url).get('key'))).toEqual(['store_failed', 'away'])
    },
  )

  test('tables of a newer version', async () => {
    const own = schema()
    await open({ schema: own }).set('key', 1)
    await (await raw()).query(`COMMENT ON TABLE ${own}.kept IS 'harvestman layout 99'`)
    const error: unknown = await open({ schema: own })
      .get('key')
      .catch((error: unknown) => error)
    expect(EngineError.is(error) && error.code).toBe('newer_version')
  })
})

describe('its generation', () => {
  const write = (store: Store) =>
    expect.poll(() => failureOf(store.set('key', 2)), { timeout: 20_000 }).toBe('it succeeded')

  test('is another one when a write to a replica that was promoted resolves', async () => {
    const own = await startOwn()
    const store = open({}, own.url)
    await store.set('key', 1)
    const before = store.generation!()
    const data = String((await (await raw(own.url)).query('SHOW data_directory')).rows[0]?.['data_directory'])
    await own.kill()
    writeFileSync(join(data, 'standby.signal'), '')
    await own.start()
    await (await raw(own.url)).query('SELECT pg_promote()')
    await write(store)
    expect(store.generation!()).not.toBe(before)
  })

  test.each([
    { setting: 'fsync=off', is: 'another one', isSame: false },
    { setting: 'fsync=on', is: 'the same', isSame: true },
  ])('is $is when a server with $setting was started again', async ({ setting, isSame }) => {
    const own = await startOwn(setting)
    const store = open({}, own.url)
    await store.set('key', 1)
    const before = store.generation!()
    await own.kill()
    await own.start()
    await write(store)
    expect(store.generation!() === before).toBe(isSame)
  })
})

test('a schema that is no plain name is refused', () => {
  expect(() => postgresStore('postgres://127.0.0.1', { schema: 'a; DROP TABLE' })).toThrow('small letters')
})

describe('a pool of the caller', () => {
  test('is used, and stays open', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 3 })
    const store = postgresStore(pool, { schema: schema() })
    await store.set('key', 1)
    await store.watch?.('key', () => undefined)
    await store.close()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})

describe('among connections', () => {
  test('twenty stores that begin at once make the tables once', async () => {
    const own = schema()
    await Promise.all(
      Array.from({ length: 20 }, (_, number) => open({ schema: own, connections: 1 }).set(`${number}`, 1)),
    )
    expect(await open({ schema: own }).getMany?.(['0', '19'])).toEqual([1, 1])
  })

  test('stores that update the same keys together, each in an order of its own, wait for no other and lose no update', async () => {
    const own = schema()
    const stores = [open({ schema: own }), open({ schema: own }), open({ schema: own })]
    const keys = Array.from({ length: 24 }, (_, number) => `counted ${number}`)
    const count = (store: Store) => (key: string) => store.update(key, (old) => Number(old ?? 0) + 1)
    for (let round = 0; round < 5; round += 1) {
      const orders = [keys, keys.toReversed(), keys.toSorted(() => Math.random() - 0.5)]
      await Promise.all(orders.flatMap((order, index) => order.map(count(stores[index]!))))
    }
    expect(await stores[0]?.getMany?.(keys)).toEqual(keys.map(() => 15))
  })

  test('nothing is told of keys that are not watched', async () => {
    const own = schema()
    const store = open({ schema: own })
    const listener = await raw()
    const heard: unknown[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query(`LISTEN ${own}`)
    let told = 0
    const stop = await store.watch?.('watched', () => void (told += 1))
    await store.set('other', 1)
    await store.set('watched', 1)
    await expect.poll(() => told).toBe(1)
    await stop?.()
    await expect.poll(async () => (await listener.query(`SELECT 1 FROM ${own}.watched`)).rowCount).toBe(0)
    await store.set('watched', 2)
    expect(heard).toHaveLength(1)
  })
})
