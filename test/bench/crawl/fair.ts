// Many crawls at once on one engine: node test/bench/crawl/fair.ts [crawls] [pages each]
// Each crawl visits a host of its own. Prints when the crawls ended, beside the median, and how far the slowest was then.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'

const [crawls = 50, pages = 200] = process.argv.slice(2).map(Number)

/** A tree of pages, with words that no two have in common. */
function pageOf(host: string, number: number): string {
  const below = [1, 2, 3, 4].map((child) => number * 4 + child).filter((child) => child < pages)
  const words = Array.from({ length: 30 }, (_, index) =>
    Array.from(String((number + 1) * 7919 * (index + 3)), (digit) => 'bcdfghjklm'[Number(digit)]).join(''),
  )
  return `<!doctype html><title>${host} ${number}</title><p>${words.join(' ')}</p>${below.map((child) => `<a href="/${child}">${child}</a> `).join('')}`
}

const server = createServer((request, response) => {
  response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': 'text/html' })
  response.end(pageOf(request.headers.host ?? '', Number(request.url?.slice(1))))
})
await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
const { port } = server.address() as AddressInfo

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  resolver: async () => [{ address: '127.0.0.1', family: 4 }],
})
const start = performance.now()
const ends: number[] = []
const jobs = await Promise.all(
  Array.from({ length: crawls }, (_, index) =>
    engine.crawl({
      url: `http://host-${index}.example:${port}/0`,
      limit: pages,
      sitemap: 'skip',
      crawlEntireDomain: true,
    }),
  ),
)
let atMedian: readonly number[] = []
const results = await Promise.all(
  jobs.map(async (job) => {
    const status = await job.end()
    ends.push(performance.now() - start)
    if (ends.length === Math.ceil(crawls / 2))
      atMedian = await Promise.all(jobs.map(async (other) => (await other.status()).completed))
    return status
  }),
)
await engine.close()
server.close()
const median = ends[Math.floor(ends.length / 2)] ?? NaN
console.table({
  crawls,
  'pages each': pages,
  'of them complete': results.filter(({ status, completed }) => status === 'completed' && completed === pages).length,
  'first to end, × median': ((ends[0] ?? NaN) / median).toFixed(2),
  'last to end, × median': ((ends.at(-1) ?? NaN) / median).toFixed(2),
  'pages of the slowest when half had ended': Math.min(...atMedian),
  'pages a second': Math.round((crawls * pages * 1_000) / (ends.at(-1) ?? NaN)),
})
