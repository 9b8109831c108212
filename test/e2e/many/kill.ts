// Two processes that answer and four that work on one server; a worker is killed every five seconds, and the server of the
// store is killed twice. Prints a row for each store: whether every page is there once, every credit and every message.
//   node test/e2e/many/kill.ts [pages: 2000] [stores: redis,postgres] [hosts: 1]
// On many hosts the pages are lent: the worker that has the crawl has places for eight, and every other trouble is a worker that
// hangs for 20 seconds, and then goes on. With four workers each is the one that has the crawl sooner or later.
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster, startCountedSite, startReceiver, untilEnded, type Cluster } from './cluster.ts'
import { startHosts } from './hosts.ts'

const [pagesText = '2000', storesText = 'redis,postgres', hostsText = '1'] = process.argv.slice(2)
const [pages, hosts] = [Number(pagesText), Number(hostsText)]
const killEvery = 5_000
const outageAfter = [8_000, 12_000]
const within = 600_000

const servers = {
  redis: () => startRedis('--appendonly', 'yes', '--appendfsync', 'always'),
  postgres: () => startPostgres(),
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Site {
  readonly url: string
  readonly ports: readonly number[]
  readonly visits: ReadonlyMap<string, number>
  readonly times: readonly number[]
  close(): void
}

async function startSite(): Promise<Site> {
  if (hosts > 1) return startHosts({ hosts, pages, delay: 200 })
  const site = await startCountedSite(pages, { delay: 100 })
  return { ...site, ports: [site.port] }
}

/** What is asked for, and what its workers are begun with. */
const asked =
  hosts > 1
    ? {
        request: { allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip' },
        env: { HARVESTMAN_LIMITS_CONCURRENCY: '8' },
      }
    : { request: { maxConcurrency: 8 }, env: {} }

/** The longest time in which no page was asked for, in seconds. */
function longestPause(times: readonly number[]): number {
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0) / 1000
}

async function trouble(cluster: Cluster, number: number): Promise<'kill' | 'hang'> {
  if (hosts === 1 || number % 2 === 0) {
    await cluster.killWorker().catch(() => undefined)
    return 'kill'
  }
  await cluster.hangWorker(20_000)
  return 'hang'
}

async function attempt(name: keyof typeof servers): Promise<void> {
  const server = await servers[name]()
  const site = await startSite()
  const receiver = await startReceiver()
  const sitePorts = [...site.ports, receiver.port]
  const cluster = await startCluster({
    env: { HARVESTMAN_STORE: server.url, ...asked.env },
    apis: 2,
    workers: 4,
    sitePorts,
  })
  const [one = '', other = ''] = cluster.urls
  const begin = performance.now()
  const request = { url: site.url, limit: pages, ...asked.request, webhook: { url: receiver.url } }
  const { id } = await post(`${one}/v2/crawl`, request)
  const over = new AbortController()
  const troubles = { kill: 0, hang: 0 }
  let outages = 0
  const killing = async (): Promise<void> => {
    for (let number = 0; ; number += 1) {
      await sleep(killEvery)
      if (over.signal.aborted) return
      troubles[await trouble(cluster, number)] += 1
    }
  }
  const failing = async (): Promise<void> => {
    for (const after of outageAfter) {
      await sleep(after)
      if (over.signal.aborted) return
      await server.kill()
      await sleep(1_000)
      await server.start()
      outages += 1
    }
  }
  const all = Promise.all([killing(), failing()])
  const ended = await untilEnded(`${other}/v2/crawl/${id}`, within)
  const seconds = (performance.now() - begin) / 1000
  over.abort()
  // A process that starts while the server is away waits for it, and then starts.
  await Promise.race([all, sleep(70_000)])
  for (let tries = 0; tries < 600 && receiver.types.at(-1) !== 'crawl.completed'; tries += 1) await sleep(100)
  const urls = new Set(ended.data.map(({ metadata }) => metadata.sourceURL))
  const visits = [...site.visits.values()].reduce((sum, count) => sum + count, 0)
  const messages = receiver.types.filter((type) => type === 'crawl.page').length
  const isInOrder = receiver.types[0] === 'crawl.started' && receiver.types.at(-1) === 'crawl.completed'
  const row = [
    name,
    troubles.kill,
    troubles.hang,
    outages,
    ended.status,
    ended.data.length,
    urls.size,
    ended.creditsUsed,
    visits,
    messages,
  ]
  console.log(
    `| ${[...row, isInOrder ? 'yes' : 'no', longestPause(site.times).toFixed(1), seconds.toFixed(0)].join(' | ')} |`,
  )
  await cluster.stop()
  site.close()
  receiver.close()
  await server.remove()
}

console.log(
  '| Store | Workers killed | Workers hung | Server killed | Status | Pages | Different pages | Credits | Visits to the site | Page messages | First and last in order | Longest pause, s | Seconds |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
for (const name of storesText.split(',')) await attempt(name as keyof typeof servers)
process.exit()
