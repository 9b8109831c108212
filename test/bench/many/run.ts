// Crawls a site on this machine by several processes: 1, 2 and 4 that work, on SQLite, Redis and Postgres in turn.
//   node test/bench/many/run.ts [pages: 3000] [rounds: 1] [workers: 1,2,4] [calls: each kind of call for a page]
// Prints pages a second between the first visit and the last; processor time of all our processes for a page, and how much of
// it was the one that answers and each that works; processor time of all that was done until they were warm, and of doing
// nothing; and calls of the server of the store for a page. Then the ratios to SQLite in pairs, the median of the rounds.
// On SQLite the process that answers works, too, and nearly alone; elsewhere each worker compiles its code anew, and a few
// crawls may all be taken by one worker. So crawls that do not count are made until a page costs no less than before.
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCluster, startCountedSite } from '../../e2e/many/cluster.ts'
import { given, median, startOr, tellRatios } from '../ratios.ts'
import { crawlAll, cpuOf } from './crawls.ts'

const [pagesText = '3000', roundsText = '1', workersText = '1,2,4', detail] = given
const isDetailed = detail === 'calls'
const pages = Number(pagesText)
const jobs = 4
const warmPages = 250
const [leastBatches, mostBatches] = [3, 6]
/** A batch that is cheaper than this part of the one before shows that processes were not warm yet. */
const nearly = 0.95
const idleSeconds = 3
const pollInterval = 1_000

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
  /** Processor time of a page, in milliseconds: of the process that answers, and of each that works. */
  readonly answering: number
  readonly working: readonly number[]
  /** Processor time of all pages before a process was warm. */
  readonly warming: number
  readonly idle: number
  readonly calls: number
}

// oxlint-disable-next-line max-lines-per-function -- one measurement, from start to end
async function measure(backend: Backend, workers: number): Promise<Figures> {
  const site = await startCountedSite(Math.max(pages / jobs, warmPages), { delay: 5 })
  const env = { HARVESTMAN_STORE: backend.address }
  const cluster = await startCluster({ env, apis: 1, workers, sitePorts: [site.port] })
  const [url = ''] = cluster.urls
  const spent = (): number[] => cluster.pids.map(cpuOf)
  const crawl = async (crawls: number, limit: number): Promise<Batch> => {
    const [before, visits] = [spent(), site.times.length]
    const starts = Array.from({ length: crawls }, () => site.url)
    const { completed } = await crawlAll(url, starts, { limit }, { pollInterval })
    const cpu = spent().map((after, index) => after - (before[index] ?? 0))
    const times = site.times.slice(visits)
    return { completed, cpu, seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 }
  }
  const warming = await warm(() => crawl(jobs * workers, warmPages))
  const callsBefore = await backend.calls()
  const { completed, cpu, seconds } = await crawl(jobs, pages / jobs)
  const made = [...(await backend.calls())].map(
    ([name, count]) => [name, count - (callsBefore.get(name) ?? 0)] as const,
  )
  const before = sum(spent())
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000))
  const idle = (sum(spent()) - before) / idleSeconds
  await cluster.stop()
  site.close()
  if (isDetailed)
    for (const [name, count] of made.toSorted(([, one], [, other]) => other - one).slice(0, 14))
      console.log(`    ${(count / completed).toFixed(2)} ${name}`)
  const [answering = 0, ...working] = cpu.map((all) => all / completed)
  const calls = sum(made.map(([, count]) => count)) / completed
  return { pagesASecond: completed / seconds, answering, working, warming, idle, calls }
}

interface Batch {
  readonly completed: number
  /** Processor time of each process, in milliseconds. */
  readonly cpu: readonly number[]
  /** From the first visit of the site to the last. */
  readonly seconds: number
}

/** Crawls until a page costs no less than before, and gives the processor time that it took. */
async function warm(crawl: () => Promise<Batch>): Promise<number> {
  let [all, last] = [0, Infinity]
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const { completed, cpu } = await crawl()
    const cost = sum(cpu)
    all += cost
    if (batch + 1 >= leastBatches && cost / completed > last * nearly) break
    last = cost / completed
  }
  return all
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

const pairOf = (store: string, workers: number): string => `${store}, workers ${workers}, over SQLite`

console.log(
  '| Store | Workers | Pages a second | CPU ms a page | of it answering + working | until warm, s | idle, ms a second | Server calls a page |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
const ratios = new Map<string, number[]>()
const missing: Record<string, string> = {}
for (let round = 0; round < Number(roundsText); round += 1)
  for (const workers of workersText.split(',').map(Number)) {
    let ofSqlite = Number.NaN
    for (const make of [sqlite, redis, postgres]) {
      const backend = await startOr(make)
      if (typeof backend === 'string') {
        missing[pairOf(make.name, workers)] = backend
        continue
      }
      const { pagesASecond, answering, working, warming, idle, calls } = await measure(backend, workers)
      const cpu = answering + sum(working)
      const parts = [answering, ...working].map((part) => part.toFixed(2)).join(' + ')
      const figures = [pagesASecond.toFixed(0), cpu.toFixed(2), parts, (warming / 1000).toFixed(1)]
      console.log(`| ${[backend.name, workers, ...figures, idle.toFixed(0), calls.toFixed(1)].join(' | ')} |`)
      await backend.remove()
      if (make === sqlite) ofSqlite = cpu
      else {
        const pair = pairOf(backend.name, workers)
        ratios.set(pair, [...(ratios.get(pair) ?? []), cpu / ofSqlite])
      }
    }
  }
for (const [pair, all] of ratios)
  console.log(
    `CPU a page to SQLite: ${pair}: ${median(all).toFixed(2)} (${all.map((one) => one.toFixed(2)).join(' ')})`,
  )
tellRatios(Object.fromEntries([...ratios].map(([pair, all]) => [pair, median(all)])), missing)
process.exit()
