// Credentials of callers in what a server stores on Redis and on Postgres: all values, and all that these write to the disk.
// @module-tag long
// @module-tag redis
// @module-tag postgres
// @module-tag browser
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openServer, readConfig } from '@harvestman/node'
import { findBrowser } from '@harvestman/puppeteer'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'

import { startPostgres } from '../../packages/postgres/test/server.ts'
import { startRedis } from '../../packages/redis/test/server.ts'
import { findSecrets, queryOfJob, secrets, sendSecrets, type StoredBytes } from './secrets-world.ts'

interface Opened {
  readonly url: string
  /** All that it has stored. */
  dump(): Promise<readonly StoredBytes[]>
}

function filesIn(folder: string): StoredBytes[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }))
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function openRedis(): Promise<Opened> {
  const folder = ownFolder()
  // Every command that changes something is in this file, as it was sent.
  const redis = await startRedis('--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always')
  onTestFinished(() => redis.remove())
  return { url: redis.url, dump: () => Promise.resolve(filesIn(folder)) }
}

async function openPostgres(): Promise<Opened> {
  const postgres = await startPostgres('fsync=off')
  onTestFinished(() => postgres.remove())
  const dump = async (): Promise<readonly StoredBytes[]> => {
    const client = new Client(postgres.url)
    await client.connect()
    const all = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
    const tables = await all(
      "select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    const rows: StoredBytes[] = []
    for (const { schemaname, tablename } of tables) {
      const name = `"${String(schemaname)}"."${String(tablename)}"`
      for (const row of await all(`select * from ${name}`))
        for (const value of Object.values(row)) {
          const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value) ?? '')
          rows.push({ name, bytes })
        }
    }
    const [folder] = await all('show data_directory')
    await client.end()
    expect(tables.length).toBeGreaterThan(0)
    // The log of writes has also what was deleted.
    return [...rows, ...filesIn(join(String(folder!['data_directory']), 'pg_wal'))]
  }
  return { url: postgres.url, dump }
}

describe('no byte of what a server stores has a credential of a request', () => {
  test.each([
    ['Redis', openRedis],
    ['Postgres', openPostgres],
  ])('on %s', async (_, openStore) => {
    const store = await openStore()
    const files = ownFolder()
    const web = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<title>A page</title><input id=x><p>Some words on ${request.url?.split('?')[0]}. <a href=/next>Next</a>`,
      )
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void web.close())
    const env = {
      ...{ HARVESTMAN_PORT: '0', HARVESTMAN_STORE: store.url, HARVESTMAN_QUEUE: store.url, HARVESTMAN_FILES: files },
      ...{
        HARVESTMAN_LOG: 'silent',
        HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
        HARVESTMAN_SEARCH_INDEX: join(files, 'index'),
      },
      HARVESTMAN_SECRET_KEY: 'a key of this test, long enough',
    }
    const server = await openServer(readConfig({ env }).config, { works: true })
    const site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    try {
      await sendSecrets({ server: () => server.url, site, hasBrowser: findBrowser() !== undefined })
    } finally {
      await server.close()
    }
    const stored = [...(await store.dump()), ...filesIn(files)]
    expect(findSecrets(stored)).toEqual([])
    expect(findSecrets(stored, { queryOfJob }).filter((place) => !place.includes('sourceURL'))).toEqual([])
    // What is looked for would be found.
    expect(findSecrets(stored, { words: 'Some words on' })).not.toEqual([])
    expect(Object.keys(secrets).length).toBeGreaterThan(9)
  })
})
