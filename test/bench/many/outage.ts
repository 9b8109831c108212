// Workers crawl while the server of their store goes away and comes back, by being killed and by hanging, for as long as is
// given. Prints for each way and time how long jobs stood still once the server was back: in each try that of the job that
// stood longest, within 15 seconds, or until it went on.
//   node test/bench/many/outage.ts [stores: redis,postgres] [ways: kill,hang] [seconds: 1,5,14,16,20,60] [tries: 10]
// Each job loads one page a second, so that a job that does not wait for anything is seen to stand still for one.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster } from '../../e2e/many/cluster.ts'

const [storesText = 'redis,postgres', waysText = 'kill,hang', secondsText = '1,5,14,16,20,60', triesText = '10'] =
  process.argv.slice(2)
const workers = 3
const hosts = 6
const jobsOfHost = 2
const pageTakes = 1_000
const looksFor = 15_000
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

interface Tried {
  /** Of the job that stood longest, in milliseconds. */
  readonly stood: number
  /** Jobs that stood longer than they may. */
  readonly late: number
}

/** How long each job stood still at most, from this moment on. */
async function look(visits: ReadonlyMap<string, readonly number[]>): Promise<Tried> {
  const back = performance.now()
  const gaps = (): number[] =>
    [...visits.values()].map((times) => {
      const after = [back, ...times.filter((at) => at > back)]
      const isStill = after.length === 1
      return Math.max(
        ...after.slice(1).map((at, index) => at - (after[index] ?? at)),
        isStill ? performance.now() - back : 0,
      )
    })
  await sleep(looksFor)
  const isStill = (): boolean => [...visits.values()].some((times) => (times.at(-1) ?? 0) < back)
  while (isStill() && performance.now() < back + longest) await sleep(1_000)
  const all = gaps()
  return { stood: Math.max(...all), late: all.filter((gap) => gap > bound).length }
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
  for (const seconds of secondsText.split(',').map(Number)) {
    const tried: Tried[] = []
    const before = sites.again()
    for (let left = Number(triesText); left > 0; left -= 1) {
      await sleep(5_000)
      await ways[way]!(server, seconds * 1_000)
      tried.push(await look(sites.visits))
    }
    const stood = tried.map(({ stood }) => stood).toSorted((one, other) => one - other)
    const good = tried.filter(({ late }) => late === 0).length
    const times = stood.map((ms) => (ms / 1000).toFixed(1)).join(' ')
    const again = sites.again() - before
    console.log(`| ${[store, way, seconds, tried.length, good, times, again].join(' | ')} |`)
  }
  await cluster.stop()
  sites.close()
  await server.remove()
}

console.log('| Store | Way | Seconds away | Tries | All jobs went on within 5 s | Stood, s | Pages again |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const store of storesText.split(',')) for (const way of waysText.split(',')) await measure(store, way)
process.exit()
