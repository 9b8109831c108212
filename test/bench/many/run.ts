// Crawls a site on this machine by several processes: 1, 2 and 4 that work, on SQLite, Redis and Postgres in turn.
//   node test/bench/many/run.ts [pages: 1000] [rounds: 1] [workers: 1,2,4] [calls: each kind of call for a page]
// Prints pages a second, processor time of the workers for a page, and calls of the server of the store for a page.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster, startCountedSite, statusAt } from '../../e2e/many/cluster.ts'

const [pagesText = '1000', roundsText = '1', workersText = '1,2,4', detail] = process.argv.slice(2)
const isDetailed = detail === 'calls'
const pages = Number(pagesText)
const jobs = 4

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

/** Processor time of a process, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function measure(make: () => Promise<Backend>, workers: number): Promise<void> {
  const backend = await make()
  const site = await startCountedSite(pages, { delay: 5 })
  const isServer = !backend.address.startsWith('sqlite')
  const cluster = await startCluster({
    env: { HARVESTMAN_STORE: backend.address },
    apis: 1,
    workers,
    sitePorts: [site.port],
  })
  const [url = ''] = cluster.urls
  const before = await backend.calls()
  const cpuBefore = cluster.pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
  const begin = performance.now()
  const opened = await Promise.all(
    Array.from({ length: jobs }, () => post(`${url}/v2/crawl`, { url: site.url, limit: pages / jobs })),
  )
  const ended = async ({ id }: { readonly id: string }): Promise<number> => {
    for (;;) {
      const { status, completed } = await statusAt(`${url}/v2/crawl/${id}?limit=1`)
      if (status !== 'scraping') return completed
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const completed = (await Promise.all(opened.map(ended))).reduce((sum, one) => sum + one, 0)
  const seconds = (performance.now() - begin) / 1000
  const cpu = cluster.pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - cpuBefore
  const after = await backend.calls()
  const made = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
  const calls = made.reduce((sum, [, count]) => sum + count, 0) / completed
  const row = [backend.name, isServer || workers === 1 ? workers : `${workers} + the server`, completed]
  const figures = [(completed / seconds).toFixed(0), (cpu / completed).toFixed(2), calls.toFixed(1)]
  console.log(`| ${[...row, ...figures].join(' | ')} |`)
  if (isDetailed)
    for (const [name, count] of made.toSorted(([, one], [, other]) => other - one).slice(0, 14))
      console.log(`    ${(count / completed).toFixed(2)} ${name}`)
  await cluster.stop()
  site.close()
  await backend.remove()
}

console.log('| Store | Workers | Pages | Pages a second | CPU ms a page, all our processes | Server calls a page |')
console.log('| --- | --- | --- | --- | --- | --- |')
for (let round = 0; round < Number(roundsText); round += 1)
  for (const workers of workersText.split(',').map(Number))
    for (const make of [sqlite, redis, postgres]) await measure(make, workers)
process.exit()
