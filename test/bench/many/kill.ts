// Crawls over four workers that lend each other their pages: the worker that loads pages of another's crawl, the one that has the
// crawl, the server that answers and the server of the store are each killed, and stopped for twice a lease time, so many times.
//   node test/bench/many/kill.ts [times: 10] [pages: 2000] [stores: redis,postgres]
// Prints a line for each store (pages, credits, messages of all crawls), and for each trouble the longest time in which no page was
// asked for.
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { crawlThroughTroubles, everyTrouble, leaseTime, type TroubledCrawl } from '../../e2e/many/troubles.ts'

const [timesText = '10', pagesText = '2000', storesText = 'redis,postgres'] = process.argv.slice(2)
const [times, pages] = [Number(timesText), Number(pagesText)]

const servers = {
  redis: () => startRedis('--appendonly', 'yes', '--appendfsync', 'always'),
  postgres: () => startPostgres(),
}

const rowOf = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`
const sumOf = (crawls: readonly TroubledCrawl[], number: (crawl: TroubledCrawl) => number): number =>
  crawls.reduce((sum, crawl) => sum + number(crawl), 0)

async function attempt(name: keyof typeof servers): Promise<void> {
  const store = await servers[name]()
  const troubles = Array.from({ length: times }, () => everyTrouble).flat()
  const ended = (crawl: TroubledCrawl): void => console.error(`  ${name}: ${JSON.stringify(crawl)}`)
  const crawls = await crawlThroughTroubles({ store, pages, troubles, ended })
  await store.remove()
  const sums = (['pages', 'differentPages', 'credits', 'messages', 'visits'] as const).map((what) =>
    sumOf(crawls, (crawl) => crawl[what]),
  )
  const completed = crawls.filter(({ status }) => status === 'completed').length
  const isInOrder = crawls.every((crawl) => crawl.isInOrder)
  console.log(
    '| Store | Crawls | Completed | Pages asked for | Pages | Different pages | Credits | Page messages | Visits | In order |',
  )
  console.log(rowOf(Array.from({ length: 10 }, () => '---')))
  console.log(rowOf([name, crawls.length, completed, crawls.length * pages, ...sums, isInOrder ? 'yes' : 'no']))
  console.log(
    `\n| Trouble (lease ${leaseTime / 1_000} s) | Times | Longest standstill, s | Median, s |\n| --- | --- | --- | --- |`,
  )
  for (const { victim, is } of everyTrouble) {
    const all = crawls.flatMap(({ suffered }) => suffered).filter((one) => one.victim === victim && one.is === is)
    const pauses = all.map(({ pause }) => pause).toSorted((a, b) => a - b)
    const median = pauses[Math.floor(pauses.length / 2)] ?? Number.NaN
    console.log(rowOf([`${victim} ${is}`, all.length, pauses.at(-1)?.toFixed(1), median.toFixed(1)]))
  }
}

for (const name of storesText.split(',')) await attempt(name as keyof typeof servers)
process.exit()
