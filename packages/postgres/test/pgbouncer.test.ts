// @module-tag pgbouncer
// @module-tag postgres
import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { bossQueue, postgresStore } from '../src/index.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres, type PostgresServer } from './server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres('fsync=off')
})
afterAll(() => server?.remove())

async function behind(mode: 'session' | 'transaction') {
  const { url, remove } = await startPgBouncer(server.url, mode)
  onTestFinished(remove)
  const schema = `s${randomUUID().replaceAll('-', '')}`
  const store = postgresStore(url, { schema, timeout: 5_000 })
  const queue = bossQueue(url, { schema: `q${schema}`, timeout: 5_000 })
  onTestFinished(async () => void (await Promise.all([queue.close(), store.close()])))
  return { store, queue }
}

test('behind a PgBouncer in session mode values are kept, watchers hear of them, and tasks are handed out', async () => {
  const { store, queue } = await behind('session')
  let heard = 0
  await store.watch?.('key', () => void (heard += 1))
  await Promise.all(Array.from({ length: 50 }, (_, at) => store.set(`key ${at}`, { at })))
  await store.update('key', () => 'new')
  expect(await store.get('key 7')).toEqual({ at: 7 })
  await expect.poll(() => heard).toBeGreaterThan(0)
  const seen: string[] = []
  await queue.push({ id: 'a', kind: 'test', body: null })
  await queue.consume(async ({ id }) => void seen.push(id), { kind: 'test', concurrency: 2 })
  await expect.poll(() => seen).toEqual(['a'])
})

test('a PgBouncer in transaction mode is refused by the first call, in one sentence that says what to use', async () => {
  const { store, queue } = await behind('transaction')
  const refusal = { code: 'store_failed', details: { reason: 'refused' } }
  await expect(store.get('key')).rejects.toMatchObject(refusal)
  await expect(store.get('key')).rejects.toThrow(/transaction mode.*Use session mode/)
  await expect(queue.push({ id: 'a', kind: 'test', body: null })).rejects.toMatchObject(refusal)
})
