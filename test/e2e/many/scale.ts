// Workers join and leave in the middle of a crawl, from one to many and back to one. Prints how long each that was asked to
// stop took, and whether every page is there once.
//   node test/e2e/many/scale.ts [workers: 16] [pages: 2000] [store: redis|postgres]
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { post, startCluster, startCountedSite, statusAt, untilEnded } from './cluster.ts'

const [workersText = '16', pagesText = '2000', store = 'redis'] = process.argv.slice(2)
const most = Number(workersText)
const pages = Number(pagesText)
const jobs = 8

const server = await (store === 'redis' ? startRedis('--appendonly', 'yes') : startPostgres())
const sites = await Promise.all(Array.from({ length: jobs }, () => startCountedSite(pages / jobs, { delay: 400 })))
const sitePorts = sites.map(({ port }) => port)
const cluster = await startCluster({ env: { HARVESTMAN_STORE: server.url }, apis: 1, workers: 1, sitePorts })
const [api = ''] = cluster.urls
const crawls = await Promise.all(
  sites.map(({ url }) => post(`${api}/v2/crawl`, { url, limit: pages / jobs, maxConcurrency: 2, sitemap: 'skip' })),
)
const done = async (): Promise<number> => {
  const answers = await Promise.all(crawls.map(({ id }) => statusAt(`${api}/v2/crawl/${id}?limit=1`)))
  return answers.reduce((sum, { completed }) => sum + completed, 0)
}
console.log(`${await done()} of ${pages} pages with 1 worker`)
await Promise.all(Array.from({ length: most - 1 }, () => cluster.startWorker()))
console.log(`${await done()} of ${pages} pages with ${cluster.workers} workers`)
// The one that has the jobs is the first to be asked.
const ends = []
while (cluster.workers > 1) ends.push(await cluster.stopWorker())
console.log(`${await done()} of ${pages} pages with ${cluster.workers} worker again`)
const slowest = Math.max(...ends.map(({ took }) => took))
console.log(
  `exit codes ${[...new Set(ends.map(({ code }) => code))].join(', ')}; the slowest took ${slowest.toFixed(0)} ms to stop`,
)
const answers = await Promise.all(crawls.map(({ id }) => untilEnded(`${api}/v2/crawl/${id}`, 600_000)))
const urls = answers.flatMap(({ data }) => data.map(({ metadata }) => metadata.sourceURL))
const statuses = [...new Set(answers.map(({ status }) => status))].join(', ')
console.log(`${statuses}: ${urls.length} pages, ${new Set(urls).size} of them different`)
// A page that could not be read, as on a machine that is starved, is told of, and what it leads to is not known.
let unread = 0
for (const { id } of crawls) {
  const told = (await (await fetch(`${api}/v2/crawl/${id}/errors`)).json()) as { readonly errors: readonly unknown[] }
  unread += told.errors.length
}
const known = answers.reduce((sum, { total }) => sum + total, 0)
console.log(`${known} pages were known, and ${unread} of them could not be read`)
await cluster.stop()
sites.forEach((site) => site.close())
await server.remove()
process.exit(urls.length + unread === known && new Set(urls).size === urls.length && slowest < 30_000 ? 0 : 1)
