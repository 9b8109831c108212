// @module-tag long
// Each store is copied in the middle of a crawl with the tool of its technology, as docs/deployment.md says, and put back.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, onTestFinished, test } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { findPostgres } from '../../../scripts/programs.ts'
import { post, startCluster, startCountedSite, statusAt, untilEnded } from './cluster.ts'

const run = promisify(execFile)
const pages = 60

interface Backup {
  /** The store of which a copy is made. */
  readonly url: string
  /** Copies it while it is used. */
  copy(): Promise<void>
  /** The address of a new store that has what was copied. */
  restored(): Promise<string>
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'harvestman-backup-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function sqlite(): Backup {
  const [file, copied] = ['store', 'copy'].map((name) => join(folder(), `${name}.sqlite`)) as [string, string]
  const program = `const { DatabaseSync, backup } = require('node:sqlite'); backup(new DatabaseSync(${JSON.stringify(file)}), ${JSON.stringify(copied)})`
  return {
    url: `sqlite:${file}`,
    copy: async () => void (await run(process.execPath, ['-e', program])),
    restored: async () => `sqlite:${copied}`,
  }
}

async function redis(): Promise<Backup> {
  const server = await startRedis('--appendonly', 'yes')
  onTestFinished(server.remove)
  const copied = join(folder(), 'dump.rdb')
  return {
    url: server.url,
    copy: async () => void (await run('redis-cli', ['-p', String(server.port), '--rdb', copied])),
    restored: async () => {
      const other = folder()
      copyFileSync(copied, join(other, 'dump.rdb'))
      // With the file alone: a log of commands would win over it.
      const restored = await startRedis('--dir', other, '--appendonly', 'no')
      onTestFinished(restored.remove)
      return restored.url
    },
  }
}

async function postgres(): Promise<Backup> {
  const server = await startPostgres('fsync=off')
  onTestFinished(server.remove)
  const copied = join(folder(), 'harvestman.dump')
  const programs = findPostgres() ?? ''
  return {
    url: server.url,
    copy: async () => void (await run(`${programs}pg_dump`, ['--format=custom', `--file=${copied}`, server.url])),
    restored: async () => {
      const restored = await startPostgres('fsync=off')
      onTestFinished(restored.remove)
      await run(`${programs}pg_restore`, [`--dbname=${restored.url}`, '--exit-on-error', copied])
      return restored.url
    },
  }
}

async function goesOnFrom({ url, copy, restored }: Backup): Promise<void> {
  const site = await startCountedSite(pages, { delay: 100 })
  onTestFinished(() => site.close())
  const on = (store: string) =>
    startCluster({ env: { HARVESTMAN_STORE: store }, apis: 1, workers: 0, sitePorts: [site.port], args: ['--work'] })
  const before = await on(url)
  onTestFinished(before.stop)
  const { id } = await post(`${before.urls[0]}/v2/crawl`, { url: site.url, limit: pages, maxConcurrency: 2 })
  const completed = async (): Promise<number> => (await statusAt(`${before.urls[0]}/v2/crawl/${id}`)).completed
  await expect.poll(completed).toBeGreaterThan(5)
  await copy()
  await before.stop()
  const after = await on(await restored())
  onTestFinished(after.stop)
  const ended = await untilEnded(`${after.urls[0]}/v2/crawl/${id}`, 100_000)
  const urls = ended.data.map(({ metadata }) => metadata.sourceURL)
  expect([ended.status, new Set(urls).size, urls.length, ended.creditsUsed]).toEqual(['completed', pages, pages, pages])
}

describe('a copy that was made in the middle of a crawl goes on with it, each page once:', () => {
  test('the file of SQLite', () => goesOnFrom(sqlite()))
  test('the file that Redis gives to a replica', { tags: ['redis'] }, async () => goesOnFrom(await redis()))
  test('a dump of Postgres', { tags: ['postgres', 'pg-dump'] }, async () => goesOnFrom(await postgres()))
})
