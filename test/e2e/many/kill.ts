// Two processes that answer and four that work on one server; a worker is killed every five seconds, and the server of the
// store is killed twice. Prints a row for each store: whether every page is there once, every credit and every message.
//   node test/e2e/many/kill.ts [pages: 2000] [stores: redis,postgres]
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster, startCountedSite, startReceiver, untilEnded } from './cluster.ts'

const [pagesText = '2000', storesText = 'redis,postgres'] = process.argv.slice(2)
const pages = Number(pagesText)
const killEvery = 5_000
const outageAfter = [8_000, 12_000]
const within = 600_000

const servers = {
  redis: () => startRedis('--appendonly', 'yes', '--appendfsync', 'always'),
  postgres: () => startPostgres(),
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function attempt(name: keyof typeof servers): Promise<void> {
  const server = await servers[name]()
  const site = await startCountedSite(pages, { delay: 100 })
  const receiver = await startReceiver()
  const sitePorts = [site.port, receiver.port]
  const cluster = await startCluster({ env: { HARVESTMAN_STORE: server.url }, apis: 2, workers: 4, sitePorts })
  const [one = '', other = ''] = cluster.urls
  const begin = performance.now()
  const request = { url: site.url, limit: pages, maxConcurrency: 8, webhook: { url: receiver.url } }
  const { id } = await post(`${one}/v2/crawl`, request)
  const over = new AbortController()
  let [kills, outages] = [0, 0]
  const killing = async (): Promise<void> => {
    for (; !over.signal.aborted; kills += 1) {
      await sleep(killEvery)
      if (!over.signal.aborted) await cluster.killWorker().catch(() => undefined)
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
  const troubles = Promise.all([killing(), failing()])
  const ended = await untilEnded(`${other}/v2/crawl/${id}`, within)
  const seconds = (performance.now() - begin) / 1000
  over.abort()
  // A process that starts while the server is away waits for it, and then starts.
  await Promise.race([troubles, sleep(70_000)])
  for (let tries = 0; tries < 600 && receiver.types.at(-1) !== 'crawl.completed'; tries += 1) await sleep(100)
  const urls = new Set(ended.data.map(({ metadata }) => metadata.sourceURL))
  const visits = [...site.visits.values()].reduce((sum, count) => sum + count, 0)
  const messages = receiver.types.filter((type) => type === 'crawl.page').length
  const isInOrder = receiver.types[0] === 'crawl.started' && receiver.types.at(-1) === 'crawl.completed'
  const row = [name, kills, outages, ended.status, ended.data.length, urls.size, ended.creditsUsed, visits, messages]
  console.log(`| ${[...row, isInOrder ? 'yes' : 'no', seconds.toFixed(0)].join(' | ')} |`)
  await cluster.stop()
  site.close()
  receiver.close()
  await server.remove()
}

console.log(
  '| Store | Workers killed | Server killed | Status | Pages | Different pages | Credits | Visits to the site | Page messages | First and last in order | Seconds |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
for (const name of storesText.split(',')) await attempt(name as keyof typeof servers)
process.exit()
