// @module-tag long
// @module-tag postgres
// An installation of one process moves to Postgres in the middle of a crawl, and back.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startPostgres, type PostgresServer } from '../../../packages/postgres/test/server.ts'
import { bareEnv } from '../command.ts'
import { warmCommand } from '../warm-command.ts'
import { post, startCluster, startCountedSite, statusAt, untilEnded, type CountedSite } from './cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-copy-'))
const sqlite = `sqlite:${join(folder, 'one.sqlite')}`
const env = bareEnv(folder)
const warm = warmCommand({ env })
let postgres: PostgresServer
let site: CountedSite

beforeAll(async () => {
  postgres = await startPostgres('fsync=off')
  site = await startCountedSite(60, { delay: 100 })
})
afterAll(async () => {
  await warm.close()
  site?.close()
  await postgres?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function copy(from: string, to: string, ...more: readonly string[]) {
  const { code: status, err: stderr } = await warm.run(['copy', '--from', from, '--to', to, ...more])
  const [, copied, same, removed] = /(\d+) entries copied.* (\d+) already existed, (\d+)/.exec(stderr) ?? []
  return { status, stderr, copied: Number(copied), same: Number(same), removed: Number(removed) }
}

const serveOn = (store: string) =>
  startCluster({ env: { HARVESTMAN_STORE: store }, apis: 1, workers: 0, sitePorts: [site.port], args: ['--work'] })

test('a crawl that began on SQLite ends on Postgres with every page once, and is read on SQLite again', async () => {
  const first = await serveOn(sqlite)
  const { id } = await post(`${first.urls[0]}/v2/crawl`, { url: site.url, limit: 60, maxConcurrency: 2 })
  await expect.poll(async () => (await statusAt(`${first.urls[0]}/v2/crawl/${id}`)).completed).toBeGreaterThan(5)
  // While it runs; and what came meanwhile, when it has stopped.
  expect(await copy(sqlite, postgres.url)).toMatchObject({ status: 0, same: 0 })
  await first.stop()
  const rest = await copy(sqlite, postgres.url)
  expect(rest.status).toBe(0)
  expect(rest.same).toBeGreaterThan(0)
  expect(await copy(sqlite, postgres.url)).toMatchObject({ copied: 0, removed: 0 })

  const second = await serveOn(postgres.url)
  const ended = await untilEnded(`${second.urls[0]}/v2/crawl/${id}`, 60_000)
  await second.stop()
  const urls = ended.data.map(({ metadata }) => metadata.sourceURL)
  expect([ended.status, urls.length, new Set(urls).size]).toEqual(['completed', 60, 60])

  const refused = await copy(postgres.url, sqlite)
  expect([refused.status === 0, refused.stderr.includes('--replace')]).toEqual([false, true])
  expect((await copy(postgres.url, sqlite, '--replace')).status).toBe(0)
  const third = await serveOn(sqlite)
  const again = await untilEnded(`${third.urls[0]}/v2/crawl/${id}`, 20_000)
  expect(again.data.map(({ metadata }) => metadata.sourceURL)).toEqual(urls)
  await third.stop()
})
