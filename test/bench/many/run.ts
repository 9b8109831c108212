// Crawls a site on this machine by several processes: 1, 2 and 4 that work, on SQLite, Redis and Postgres in turn.
//   node test/bench/many/run.ts [pages: 1000] [rounds: 1] [workers: 1,2,4] [calls: each kind of call for a page]
// Prints pages a second, processor time of all our processes for a page, of the first pages of each process and of doing
// nothing, and calls of the server of the store for a page; then the ratios to SQLite in pairs, the median of the rounds.
// On SQLite the process that answers works, too, and nearly alone; elsewhere each worker has first pages of its own, in which
// its code is compiled. So all are warm before a page is counted, or a short crawl would pay that once or as often as there are
// workers.
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCluster, startCountedSite } from '../../e2e/many/cluster.ts'
import { crawlAll, cpuOf } from './crawls.ts'

const [pagesText = '1000', roundsText = '1', workersText = '1,2,4', detail] = process.argv.slice(2)
const isDetailed = detail === 'calls'
const pages = Number(pagesText)
const jobs = 4
const firstPages = 100
const idleSeconds = 5

type Calls = ReadonlyMap<string, number>

interface Backend {
  readonly name: string
  readonly address: string
  /** Calls of the server so far, by what they do; nothing where there is no server. */
  calls(): Promise<Calls>
  remove(): Promise<void>
}

async function sqlite(): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-bench-'))
  const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true })
  return { name: 'sqlite', address: `sqlite:${join(folder, 'store.sqlite')}`, calls: async () => new Map(), remove }
}

async function redis(): Promise<Backend> {
  const server = await startRedis('--appendonly', 'yes')
  const calls = async (): Promise<Calls> =>
    new Map(
      [...(await info(server.port)).matchAll(/cmdstat_(\S+):calls=(\d+)/g)].map(([, name = '', n]) => [
        name,
        Number(n),
      ]),
    )
  return { name: 'redis', address: server.url, calls, remove: server.remove }
}

async function postgres(): Promise<Backend> {
  const server = await startPostgres('shared_preload_libraries=pg_stat_statements')
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('CREATE EXTENSION pg_stat_statements')
  const calls = async (): Promise<Calls> => {
    const { rows } = await client.query('SELECT query, calls::int FROM pg_stat_statements')
    const counts = new Map<string, number>()
    for (const { query, calls } of rows as { readonly query: string; readonly calls: number }[]) {
      const name = /(harvestman\w*\.\w+) .*?(\w+ = ANY|\w+ = |ON CONFLICT|ORDER|$)/.exec(query.replaceAll(/\s+/g, ' '))
      const key =
        `${/\b(SELECT|INSERT|UPDATE|DELETE)\b/.exec(query)?.[0] ?? 'other'} ${name?.slice(1).join(' ') ?? ''}`.trim()
      counts.set(key, (counts.get(key) ?? 0) + calls)
    }
    return counts
  }
  const remove = async (): Promise<void> => {
    await client.end()
    await server.remove()
  }
  return { name: 'postgres', address: server.url, calls, remove }
}

function info(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('INFO commandstats\r\n'))
    socket.on('data', (text) => {
      resolve(String(text))
      socket.destroy()
    })
  })
}

interface Figures {
  readonly pagesASecond: number
  readonly cpu: number
  readonly cold: number
  readonly idle: number
  readonly calls: number
}

// oxlint-disable-next-line max-lines-per-function -- one measurement, from start to end
async function measure(backend: Backend, workers: number): Promise<Figures> {
  const site = await startCountedSite(pages, { delay: 5 })
  const cluster = await startCluster({
    env: { HARVESTMAN_STORE: backend.address },
    apis: 1,
    workers,
    sitePorts: [site.port],
  })
  const [url = ''] = cluster.urls
  const cpu = (): number => cluster.pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
  const starts = Array.from({ length: jobs * workers }, () => site.url)
  const before = cpu()
  const first = await crawlAll(url, starts, { limit: firstPages })
  const warm = cpu()
  const callsBefore = await backend.calls()
  const measured = await crawlAll(url, starts.slice(0, jobs), { limit: pages / jobs })
  const after = cpu()
  const made = [...(await backend.calls())].map(
    ([name, count]) => [name, count - (callsBefore.get(name) ?? 0)] as const,
  )
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000))
  const idle = (cpu() - after) / idleSeconds
  await cluster.stop()
  site.close()
  if (isDetailed)
    for (const [name, count] of made.toSorted(([, one], [, other]) => other - one).slice(0, 14))
      console.log(`    ${(count / measured.completed).toFixed(2)} ${name}`)
  return {
    pagesASecond: measured.completed / measured.seconds,
    cpu: (after - warm) / measured.completed,
    cold: (warm - before) / first.completed,
    idle,
    calls: made.reduce((sum, [, count]) => sum + count, 0) / measured.completed,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

console.log(
  '| Store | Workers | Pages a second | CPU ms a page | of the first pages | idle, ms a second | Server calls a page |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- |')
const ratios = new Map<string, number[]>()
for (let round = 0; round < Number(roundsText); round += 1)
  for (const workers of workersText.split(',').map(Number)) {
    let ofSqlite = Number.NaN
    for (const make of [sqlite, redis, postgres]) {
      const backend = await make()
      const { pagesASecond, cpu, cold, idle, calls } = await measure(backend, workers)
      const figures = [pagesASecond.toFixed(0), cpu.toFixed(2), cold.toFixed(2), idle.toFixed(0), calls.toFixed(1)]
      console.log(`| ${[backend.name, workers, ...figures].join(' | ')} |`)
      await backend.remove()
      if (make === sqlite) ofSqlite = cpu
      else {
        const pair = `${backend.name}, ${workers} workers`
        ratios.set(pair, [...(ratios.get(pair) ?? []), cpu / ofSqlite])
      }
    }
  }
for (const [pair, all] of ratios)
  console.log(
    `CPU a page to SQLite: ${pair}: ${median(all).toFixed(2)} (${all.map((one) => one.toFixed(2)).join(' ')})`,
  )
process.exit()
