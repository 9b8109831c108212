// @module-tag postgres
import { randomUUID } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { postgresStore } from '../src/index.ts'
import { startPostgres, type PostgresServer } from './server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres('fsync=off', 'max_connections=12', 'superuser_reserved_connections=0')
})
afterAll(() => server?.remove())

function stores(count: number): readonly Store[] {
  const schema = `s${randomUUID().replaceAll('-', '')}`
  const opened = Array.from({ length: count }, () => postgresStore(server.url, { schema, timeout: 30_000 }))
  onTestFinished(async () => void (await Promise.all(opened.map((store) => store.close()))))
  return opened
}

const writes = (store: Store, index: number): Promise<unknown>[] =>
  Array.from({ length: 100 }, (_, write) => store.set(`${index}/${write}`, write))

test('stores that together want more connections than the server has go on with fewer each, and lose nothing', async () => {
  const opened = stores(4)
  await Promise.all(opened.flatMap(writes))
  expect(await opened[0]?.get('3/99')).toBe(99)
})
