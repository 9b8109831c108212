// Workers crawl while the server of their store goes away and comes back, by being killed and by hanging, for as long as is
// given. Prints for each try when the last of all jobs had begun a page once the server was back, and how long the job stood
// from then on that stood longest, within 12 seconds, or until it went on. And for how long meanwhile the thread that waited
// longest for a core waited, and a client that only pings the server: what a job stood beyond that is of our making.
//   node test/bench/many/outage.ts [stores: redis,postgres] [ways: kill,hang] [seconds: 1,5,14,16,20,60] [tries: 10]
// Each job loads one page a second, so that a job that does not wait for anything is seen to stand still for one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createConnection, type AddressInfo } from 'node:net'

import { Client } from 'pg'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster } from '../../e2e/many/cluster.ts'
import { watchWaits, type HeldUp, type Waits } from './measuring/waits.ts'

const [storesText = 'redis,postgres', waysText = 'kill,hang', secondsText = '1,5,14,16,20,60', triesText = '10'] =
  process.argv.slice(2)
const workers = 3
const hosts = 6
const jobsOfHost = 2
const pageTakes = 1_000
const looksFor = 12_000
const restsFor = 3_000
const bound = 5_000
const longest = 300_000

interface StoreServer {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  remove(): Promise<void>
}

// What is written outlives the process that wrote it; the disk of this machine is not what is measured.
const servers: Readonly<Record<string, () => Promise<StoreServer>>> = {
  redis: () => startRedis('--appendonly', 'yes', '--appendfsync', 'no'),
  postgres: () => startPostgres('fsync=off'),
}
const pings: Readonly<Record<string, (url: string) => Promise<void>>> = {
  redis: async (url) => {
    const { hostname, port } = new URL(url)
    const socket = createConnection({ host: hostname, port: Number(port) })
    socket.write('PING\r\n')
    for await (const answer of socket) if (answer) return
    throw new Error('There was no answer.')
  },
  postgres: async (url) => {
    const client = new Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
    } finally {
      void client.end().catch(() => undefined)
    }
  },
}
const ways: Readonly<Record<string, (server: StoreServer, ms: number) => Promise<void>>> = {
  kill: async (server, ms) => {
    await server.kill()
    await sleep(ms)
    await server.start()
  },
  hang: async (server, ms) => {
    server.signal('SIGSTOP')
    await sleep(ms)
    server.signal('SIGCONT')
  },
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sites without an end; the visits of each job are told apart by how its addresses begin. */
async function startSites(count: number) {
  const visits = new Map<string, number[]>()
  const seen = new Set<string>()
  let again = 0
  const handle = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
    const [, job, page] = /^\/(job-\d+)\/(\d+)$/.exec(url) ?? []
    if (job === undefined) return void response.writeHead(404).end()
    visits.set(job, [...(visits.get(job) ?? []), performance.now()])
    if (seen.has(url)) again += 1
    seen.add(url)
    const links = [1, 2].map((next) => `<a href="/${job}/${Number(page) * 2 + next}">Next</a>`).join(' ')
    const text = Array.from({ length: 60 }, (_, word) => ((Number(page) + 1) * 2_654_435_761 * (word + 7)).toString(36))
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>${page}</title><main><h1>${page}</h1><p>${text.join(' ')}</p>${links}</main>`)
    }, pageTakes)
  }
  const open = async (): Promise<Server> => {
    const server = createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const servers = await Promise.all(Array.from({ length: count }, open))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  return { ports, visits, again: () => again, close: () => servers.forEach((server) => server.close()) }
}

interface Tried extends HeldUp {
  /** Until the last of all jobs had begun a page, in milliseconds. */
  readonly began: number
  /** Of the job that stood longest, in milliseconds. */
  readonly stood: number
  /** Jobs that stood longer than they may. */
  readonly late: number
}

interface Gap {
  readonly from: number
  readonly to: number
}

const lengthOf = ({ from, to }: Gap): number => to - from

/** The longest that a job stood still from a moment on, until now. */
function longestGap(times: readonly number[], since: number): Gap {
  const moments = [since, ...times.filter((at) => at > since), performance.now()]
  const gaps = moments.slice(1).map((to, index): Gap => ({ from: moments[index] ?? to, to }))
  return gaps.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one))
}

/** How long each job stood still at most, from this moment on. */
async function look(visits: ReadonlyMap<string, readonly number[]>, waits: Waits, what: string): Promise<Tried> {
  const back = performance.now()
  await sleep(looksFor)
  const isStill = (): boolean => [...visits.values()].some((times) => performance.now() - (times.at(-1) ?? 0) > bound)
  while (isStill() && performance.now() < back + longest) await sleep(1_000)
  const all = [...visits].map(([job, times]) => ({ job, gap: longestGap(times, back) }))
  all.sort((one, other) => lengthOf(other.gap) - lengthOf(one.gap))
  const late = all.filter(({ gap }) => lengthOf(gap) > bound)
  const inSeconds = (ms: number): string => (ms / 1000).toFixed(1)
  for (const { job, gap } of late.length > 0 ? late : all.slice(0, 1)) {
    const { core, ping } = waits.between(gap.from, gap.to)
    const after = `${inSeconds(gap.from - back)} to ${inSeconds(gap.to - back)} s after`
    console.error(`${what}: ${job} stood ${after}; core ${inSeconds(core)}, ping ${inSeconds(ping)}`)
  }
  const began = Math.max(...[...visits.values()].map((times) => (times.find((at) => at > back) ?? Infinity) - back))
  const { from, to } = all[0]?.gap ?? { from: back, to: back }
  return { began, stood: to - from, late: late.length, ...waits.between(from, to) }
}

async function measure(store: string, way: string): Promise<void> {
  const server = await servers[store]!()
  const sites = await startSites(hosts)
  const env = { HARVESTMAN_STORE: server.url }
  const cluster = await startCluster({ env, apis: 1, workers, sitePorts: sites.ports })
  const [api = ''] = cluster.urls
  for (let job = 0; job < hosts * jobsOfHost; job += 1) {
    const url = `http://127.0.0.1:${sites.ports[job % hosts]}/job-${job}/0`
    await post(`${api}/v2/crawl`, {
      url,
      limit: 100_000,
      maxConcurrency: 1,
      sitemap: 'skip',
      crawlEntireDomain: true,
      deduplicateSimilarURLs: false,
    })
  }
  while (sites.visits.size < hosts * jobsOfHost) await sleep(100)
  const waits = watchWaits({ pids: () => [process.pid, ...cluster.pids], ping: () => pings[store]!(server.url) })
  for (const seconds of secondsText.split(',').map(Number)) {
    const tried: Tried[] = []
    const before = sites.again()
    for (let left = Number(triesText); left > 0; left -= 1) {
      await sleep(restsFor * Math.random())
      await ways[way]!(server, seconds * 1_000)
      tried.push(await look(sites.visits, waits, `${store} ${way} ${seconds} s`))
    }
    tried.sort((one, other) => one.stood - other.stood)
    const good = tried.filter(({ late }) => late === 0).length
    const timesOf = (of: (one: Tried) => number): string => tried.map((one) => (of(one) / 1000).toFixed(1)).join(' ')
    const times = [
      timesOf(({ began }) => began),
      timesOf(({ stood }) => stood),
      timesOf(({ core }) => core),
      timesOf(({ ping }) => ping),
    ]
    const again = sites.again() - before
    console.log(`| ${[store, way, seconds, tried.length, good, ...times, again].join(' | ')} |`)
  }
  waits.stop()
  await cluster.stop()
  sites.close()
  await server.remove()
}

const columns = [
  'Store',
  'Way',
  'Seconds away',
  'Tries',
  'All jobs went on within 5 s',
  'Last job began a page after, s',
  'Stood, s',
]
const more = ['Meanwhile waited for a core, s', 'Meanwhile waited for a ping, s', 'Pages again']
console.log(`| ${[...columns, ...more].join(' | ')} |\n|${' --- |'.repeat(columns.length + more.length)}`)
for (const store of storesText.split(',')) for (const way of waysText.split(',')) await measure(store, way)
process.exit()
