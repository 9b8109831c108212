// What permits promise, on each store that processes share.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sqliteStore } from '@harvestman/keyv'
import { postgresStore } from '@harvestman/postgres'
import { redisStore } from '@harvestman/redis'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'

import { permitContract } from '../../../packages/coordination/src/permits/fixtures/contract.ts'
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'

describe('permits keep their contract on SQLite', () => {
  for (const { name, run } of permitContract)
    test(name, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'harvestman-permits-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      await run(() => sqliteStore(join(folder, 'store.sqlite')))
    })
})

describe('permits keep their contract on Redis', { tags: ['redis'] }, () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.remove())
  for (const { name, run } of permitContract)
    test(name, async () => {
      const prefix = `${randomUUID()}:`
      await run(() => redisStore(server.url, { prefix }))
    })
})

describe('permits keep their contract on Postgres', { tags: ['postgres', 'long'] }, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  beforeAll(async () => {
    server = await startPostgres('fsync=off')
  })
  afterAll(() => server?.remove())
  for (const [index, { name, run }] of permitContract.entries())
    test(name, async () => {
      await run(() => postgresStore(server.url, { schema: `permits_${index}` }))
    })
})
