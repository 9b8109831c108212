// One prediction of the model, held against a real run: crawls of slow sites by some workers on Redis.
//   node test/bench/many/predict.ts [workers: 2] [pages of a crawl: 60] [latency: 1000]
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster, startCountedSite, statusAt } from '../../e2e/many/cluster.ts'
import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'

import { simulateCluster } from './simulation/cluster.ts'
import { constants } from './simulation/constants.ts'
import { takeOverTime } from './simulation/time.ts'
import { makeWeb } from './simulation/web.ts'

const [workersText = '2', pagesText = '60', latencyText = '1000', mode] = process.argv.slice(2)
const [workers, pages, latency] = [workersText, pagesText, latencyText].map(Number) as [number, number, number]
const crawls = 4
const maxConcurrency = 5

/** Seconds, by the model. */
async function predict(): Promise<number> {
  const web = makeWeb({ hosts: crawls, hostsOfSite: 1, urls: crawls * pages, latency, isUneven: false })
  const plan = { workers, slots: 32, jobsOfWorker: 1_000, maxConcurrency, ...constants, hasFaults: false }
  return (await simulateCluster(plan, web, takeOverTime())).seconds
}

async function measure(): Promise<number> {
  const server = await startRedis()
  const sites = await Promise.all(Array.from({ length: crawls }, () => startCountedSite(pages, { delay: latency })))
  const sitePorts = sites.map(({ port }) => port)
  const cluster = await startCluster({ env: { HARVESTMAN_STORE: server.url }, apis: 1, workers, sitePorts })
  const [api = ''] = cluster.urls
  const crawl = async (url: string, limit: number): Promise<void> => {
    const { id } = await post(`${api}/v2/crawl`, { url, limit, maxConcurrency, sitemap: 'skip' })
    while ((await statusAt(`${api}/v2/crawl/${id}?limit=1`)).status === 'scraping')
      await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // What a process does for its first pages is not what a page costs.
  await Promise.all(sites.map(({ url }, index) => crawl(`${url}/page/${pages - 1 - index}`, 1)))
  const begin = performance.now()
  await Promise.all(sites.map(({ url }) => crawl(url, pages)))
  const seconds = (performance.now() - begin) / 1000
  await cluster.stop()
  for (const site of sites) site.close()
  await server.remove()
  return seconds
}

if (mode === 'model') console.log(await predict())
else {
  // The model takes over the timers of its process, so it has one of its own.
  const args = [fileURLToPath(import.meta.url), workersText, pagesText, latencyText, 'model']
  const predicted = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  const measured = await measure()
  const rate = (seconds: number): string => ((crawls * pages) / seconds).toFixed(1)
  console.log(`Pages a second by the model: ${rate(predicted)}; measured: ${rate(measured)}.`)
  console.log(`The model is off by ${(Math.abs(measured / predicted - 1) * 100).toFixed(0)} %.`)
}
process.exit()
