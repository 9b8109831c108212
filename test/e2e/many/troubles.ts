// One crawl over four workers that lend each other its pages, while one of the processes is killed or hangs.
import { post, startCluster, startReceiver, untilEnded, type Cluster, type Receiver } from './cluster.ts'
import { startHosts, type Hosts } from './hosts.ts'

/** A server that keeps the store. */
export interface StoreServer {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  remove(): Promise<void>
}

/** The processes that trouble befalls: a worker that loads pages of another's crawl, the one that has it, one that answers, and the store. */
export const victims = ['borrower', 'owner', 'server', 'store'] as const
export type Victim = (typeof victims)[number]

/** One thing that goes wrong. */
export interface Trouble {
  readonly victim: Victim
  readonly is: 'killed' | 'hung'
}

/** Every trouble once. */
export const everyTrouble: readonly Trouble[] = (['killed', 'hung'] as const).flatMap((is) =>
  victims.map((victim) => ({ victim, is })),
)

/** A trouble that was, and the longest time in which no page was asked for, from its beginning to that of the next. */
export interface Suffered extends Trouble {
  readonly pause: number
}

/** What came of one crawl. */
export interface TroubledCrawl {
  readonly status: string
  readonly pages: number
  readonly differentPages: number
  readonly credits: number
  readonly visits: number
  readonly messages: number
  readonly isInOrder: boolean
  readonly suffered: readonly Suffered[]
}

export interface TroubleOptions {
  readonly store: StoreServer
  /** Pages of a crawl. */
  readonly pages: number
  readonly troubles: readonly Trouble[]
  /** Is told of each crawl as it ends. */
  readonly ended?: (crawl: TroubledCrawl) => void
}

/** Shorter than that of an operator, so that a process that hangs for longer than a lease need not hang for long. */
export const leaseTime = 5_000
const hangsFor = leaseTime * 2
const hosts = 16
const delay = 1_000
// So many pages are asked for before anything goes wrong, and between two troubles.
const pagesBetween = 40
const timeout = 300_000

/** Crawls until all troubles were there, one after the other, each when the one before was overcome. */
export async function crawlThroughTroubles(options: TroubleOptions): Promise<readonly TroubledCrawl[]> {
  const { store, pages, ended } = options
  const left = [...options.troubles]
  const crawls: TroubledCrawl[] = []
  while (left.length > 0) {
    const site = await startHosts({ hosts, pages, delay })
    const receiver = await startReceiver()
    const cluster = await startCluster({
      env: {
        HARVESTMAN_STORE: store.url,
        HARVESTMAN_LIMITS_CONCURRENCY: '8',
        HARVESTMAN_LIMITS_LEASE_TIME: String(leaseTime),
      },
      apis: 2,
      workers: 4,
      sitePorts: [...site.ports, receiver.port],
    })
    try {
      const crawl = await crawlOnce({ cluster, site, receiver, store, pages, left })
      crawls.push(crawl)
      ended?.(crawl)
    } finally {
      await cluster.stop()
      site.close()
      receiver.close()
    }
  }
  return crawls
}

interface Scene extends Pick<TroubleOptions, 'store' | 'pages'> {
  readonly cluster: Cluster
  readonly site: Hosts
  readonly receiver: Receiver
  /** Those that were are taken away. */
  readonly left: Trouble[]
}

async function crawlOnce(scene: Scene): Promise<TroubledCrawl> {
  const { cluster, site, receiver, pages, left } = scene
  const [, api = ''] = cluster.urls
  const request = { limit: pages, allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip' }
  const { id } = await post(`${api}/v2/crawl`, { url: site.url, ...request, webhook: { url: receiver.url } })
  const begun: (Trouble & { readonly at: number })[] = []
  // What is left of a crawl at its end is over before a trouble could tell.
  const isNearEnd = (): boolean => site.visits.size + 2 * pagesBetween > pages
  while (left.length > 0 && (await visitsAgain(site, isNearEnd))) {
    const [trouble = everyTrouble[0]!] = left.splice(0, 1)
    begun.push({ ...trouble, at: performance.now() })
    await befall(trouble, scene)
  }
  const { status, data, creditsUsed } = await untilEnded(`${api}/v2/crawl/${id}`, timeout)
  await until(() => receiver.types.at(-1) === 'crawl.completed')
  const suffered = begun.map(({ victim, is, at }, index) => ({
    victim,
    is,
    pause: longestPause(site.times, at, begun[index + 1]?.at ?? Infinity),
  }))
  return {
    status,
    pages: data.length,
    differentPages: new Set(data.map(({ metadata }) => metadata.sourceURL)).size,
    credits: creditsUsed,
    visits: site.times.length,
    messages: receiver.types.filter((type) => type === 'crawl.page').length,
    isInOrder: receiver.types[0] === 'crawl.started' && receiver.types.at(-1) === 'crawl.completed',
    suffered,
  }
}

/** Whether pages are asked for again, long before the end. */
async function visitsAgain(site: Hosts, isNearEnd: () => boolean): Promise<boolean> {
  const before = site.visits.size
  await until(() => site.visits.size >= before + pagesBetween || isNearEnd())
  return !isNearEnd()
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + timeout
  while (!isSo()) {
    if (performance.now() > end) throw new Error('The crawl does not go on.')
    await sleep(50)
  }
}

async function befall({ victim, is }: Trouble, { cluster, store }: Scene): Promise<void> {
  if (victim === 'store') return is === 'killed' ? restart(store) : suspend(store)
  const url = await addressOf(victim, cluster)
  await (is === 'killed' ? cluster.kill(url) : cluster.hang(url, hangsFor))
}

async function restart(store: StoreServer): Promise<void> {
  await store.kill()
  await sleep(1_000)
  await store.start()
}

async function suspend(store: StoreServer): Promise<void> {
  store.signal('SIGSTOP')
  await sleep(hangsFor)
  store.signal('SIGCONT')
}

async function addressOf(victim: Exclude<Victim, 'store'>, cluster: Cluster): Promise<string> {
  if (victim === 'server') return cluster.urls[0] ?? ''
  for (const end = performance.now() + timeout; performance.now() < end; await sleep(100)) {
    const [holds, others] = await whoHasJob(cluster.workerUrls)
    const [found] = victim === 'owner' ? holds : others
    if (holds.length === 1 && found !== undefined) return found
  }
  throw new Error('No worker, or more than one, says that it has the crawl.')
}

/** The workers that have a job, and the others. */
async function whoHasJob(urls: readonly string[]): Promise<readonly [string[], string[]]> {
  const lists: [string[], string[]] = [[], []]
  for (const url of urls) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    lists[/^harvestman_jobs_running [1-9]/m.test(metrics) ? 0 : 1].push(url)
  }
  return lists
}

/** The longest time in which no page was asked for, of what lies between two times, in seconds. */
function longestPause(times: readonly number[], from: number, end: number): number {
  const gaps = times.map((time, index) => {
    const before = times[index - 1] ?? time
    return time > from && before < end ? time - before : 0
  })
  return Math.max(0, ...gaps) / 1_000
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
