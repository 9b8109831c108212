// Jobs that go on while each process of an earlier version is replaced by one of this version, and then back.
import { post, startCluster, startReceiver, statusAt, untilEnded, type Cluster } from './cluster.ts'
import { startHosts } from './hosts.ts'

export interface UpgradeOptions {
  /** The store that both versions use. */
  readonly store: string
  /** The file of the earlier version's command. */
  readonly earlier: string
  /** Pages of the crawl. */
  readonly pages: number
  /** Is told of each step when it is done. */
  readonly did?: (step: string) => void
}

/** What a crawl and a batch gave whose processes were replaced. */
export interface Upgraded {
  readonly status: string
  readonly pages: number
  readonly differentPages: number
  readonly credits: number
  readonly messages: number
  readonly isInOrder: boolean
  /** Of a job that the earlier version began, and one that this one began while the earlier one worked. */
  readonly batches: readonly { readonly status: string; readonly pages: number }[]
  /** The exit codes of the processes that were asked to stop. */
  readonly codes: readonly unknown[]
}

const hosts = 16
const delay = 1_000
const workers = 3
const timeout = 600_000

/** Begins with the earlier version, replaces its workers one after the other, then its server, while a crawl runs. */
export async function upgradeWhileCrawling({ store, earlier, pages, did }: UpgradeOptions): Promise<Upgraded> {
  const site = await startHosts({ hosts, pages, delay })
  const receiver = await startReceiver()
  const common = {
    env: { HARVESTMAN_STORE: store, HARVESTMAN_LIMITS_CONCURRENCY: '8', HARVESTMAN_LIMITS_LEASE_TIME: '5000' },
    sitePorts: [...site.ports, receiver.port],
  }
  const old = await startCluster({ ...common, apis: 1, workers, command: earlier })
  const young = await startCluster({ ...common, apis: 0, workers: 0 })
  let later: Cluster | undefined
  try {
    const [api = ''] = old.urls
    const request = { limit: pages, allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip' }
    const crawl = await post(`${api}/v2/crawl`, { url: site.url, ...request, webhook: { url: receiver.url } })
    const urls = [...Array(24).keys()].map((page) => `${site.url.replace(/\d+$/, '')}${page * hosts}`)
    const early = await post(`${api}/v2/batch/scrape`, { urls })
    const reached = untilVisits(site.visits, pages)
    const codes: unknown[] = []
    await reached(0.1)
    for (let step = 0; step < workers; step += 1) {
      await young.startWorker()
      did?.(`started worker ${step + 1} of this version, with ${site.visits.size} pages visited`)
      await reached(0.15 + step * 0.2)
      codes.push((await old.stopWorker()).code)
      did?.(`stopped an earlier worker, with ${site.visits.size} pages visited`)
    }
    later = await startCluster({ ...common, apis: 1, workers: 0 })
    const [laterApi = ''] = later.urls
    const late = await post(`${laterApi}/v2/batch/scrape`, { urls, maxAge: 0 })
    did?.(
      `both servers answer: ${(await statusAt(`${api}/v2/crawl/${crawl.id}?limit=1`)).completed} pages by the earlier one`,
    )
    await old.stop()
    const ended = await untilEnded(`${laterApi}/v2/crawl/${crawl.id}`, timeout)
    const batches = await Promise.all(
      [early, late].map(({ id }) => untilEnded(`${laterApi}/v2/batch/scrape/${id}`, timeout)),
    )
    await untilTold(receiver.types)
    return {
      status: ended.status,
      pages: ended.data.length,
      differentPages: new Set(ended.data.map(({ metadata }) => metadata.sourceURL)).size,
      credits: ended.creditsUsed,
      messages: receiver.types.filter((type) => type === 'crawl.page').length,
      isInOrder: receiver.types[0] === 'crawl.started' && receiver.types.at(-1) === 'crawl.completed',
      batches: batches.map(({ status, data }) => ({ status, pages: data.length })),
      codes,
    }
  } finally {
    await Promise.all([old, young, later].map(async (cluster) => cluster?.stop()))
    site.close()
    receiver.close()
  }
}

/** Waits until a part of the pages was visited. */
function untilVisits(visits: ReadonlyMap<string, number>, pages: number): (part: number) => Promise<void> {
  return (part) => until(() => visits.size >= pages * part)
}

function untilTold(types: readonly string[]): Promise<void> {
  return until(() => types.at(-1) === 'crawl.completed')
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + timeout; !isSo();) {
    if (performance.now() > end) throw new Error('The crawl does not go on.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
