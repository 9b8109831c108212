// One crawl over many hosts that are slow, by one worker and by more: what they load of it is lent to them by the one that has it.
//   node test/bench/many/lend.ts [pages: 4000] [hosts: 16] [delay: 200] [workers: 1,2,4,8] [stores: redis,postgres] [warming: 400]
// Prints for each number of workers the pages a second between the first visit and the last, how many times those of one worker
// that is, the most pages of a host that were asked for at the same time, visits beyond one for each page, and processor time of
// a page of all our processes. A crawl of `warming` pages a worker comes before each and does not count, so that all have compiled
// their code; with 0 the workers have just started.
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCluster } from '../../e2e/many/cluster.ts'
import { startHosts } from '../../e2e/many/hosts.ts'
import { crawlAll, cpuOf } from './crawls.ts'

const [
  pagesText = '4000',
  hostsText = '16',
  delayText = '200',
  workersText = '1,2,4,8',
  storesText = 'redis,postgres',
  warmingText = '400',
] = process.argv.slice(2)
const [pages, hosts, delay] = [pagesText, hostsText, delayText].map(Number) as [number, number, number]
const warmPages = Number(warmingText)
const options = { allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip', scrapeOptions: { maxAge: 0 } }

const servers = { redis: () => startRedis('--appendonly', 'yes'), postgres: () => startPostgres() }

async function measure(store: keyof typeof servers, workers: number) {
  const server = await servers[store]()
  const site = await startHosts({ hosts, pages, delay })
  const warming = await startHosts({ hosts, pages: Math.max(1, warmPages * workers), delay })
  const env = { HARVESTMAN_STORE: server.url }
  const cluster = await startCluster({ env, apis: 1, workers, sitePorts: [...site.ports, ...warming.ports] })
  const [url = ''] = cluster.urls
  if (warmPages > 0) await crawlAll(url, [warming.url], { ...options, limit: warmPages * workers })
  const spent = (): number => cluster.pids.map(cpuOf).reduce((sum, one) => sum + one, 0)
  const before = spent()
  const { completed } = await crawlAll(url, [site.url], { ...options, limit: pages })
  const cpu = (spent() - before) / completed
  const { times, visits, mostAtOnce } = site
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  await cluster.stop()
  await server.remove()
  for (const one of [site, warming]) one.close()
  return { completed, rate: completed / seconds, again: times.length - visits.size, most: mostAtOnce(), cpu }
}

console.log(
  '| Store | Workers | Pages | Pages a second | To one worker | Most of a host at once | Visits again | CPU ms a page |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
for (const store of storesText.split(',') as (keyof typeof servers)[]) {
  let one = Number.NaN
  for (const workers of workersText.split(',').map(Number)) {
    const { completed, rate, again, most, cpu } = await measure(store, workers)
    if (workers === 1) one = rate
    const row = [store, workers, completed, rate.toFixed(0), (rate / one).toFixed(2), most, again, cpu.toFixed(2)]
    console.log(`| ${row.join(' | ')} |`)
  }
}
process.exit()
