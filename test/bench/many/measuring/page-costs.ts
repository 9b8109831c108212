// What a page costs the processes that load it, in a real crawl of small pages on this machine.
import { post, startCluster, startCountedSite, statusAt } from '../../../e2e/many/cluster.ts'
import { cpuOf } from './processes.ts'
import type { Backend } from './backends.ts'

export interface MeasuredPage {
  /** Milliseconds of a processor, of all our processes. */
  readonly cpu: number
  /** Bytes of its document, as it is kept. */
  readonly document: number
  /** Calls of the server of the store. */
  readonly calls: number
}

export async function measurePage(backend: Backend, pages: number): Promise<MeasuredPage> {
  const [warming, site] = await Promise.all([
    startCountedSite(100, { delay: 20 }),
    startCountedSite(pages, { delay: 20 }),
  ])
  const env = { HARVESTMAN_STORE: backend.url }
  const cluster = await startCluster({ env, apis: 1, workers: 1, sitePorts: [warming.port, site.port] })
  const [api = ''] = cluster.urls
  const crawl = async (url: string, limit: number): Promise<string> => {
    const { id } = await post(`${api}/v2/crawl`, { url, limit, sitemap: 'skip' })
    while ((await statusAt(`${api}/v2/crawl/${id}?limit=1`)).status === 'scraping')
      await new Promise((resolve) => setTimeout(resolve, 300))
    return id
  }
  // What a process does for its first pages is not what a page costs.
  await crawl(warming.url, 100)
  const [cpuBefore, callsBefore] = [cpuOf(cluster.pids), await backend.calls()]
  const id = await crawl(site.url, pages)
  const cpu = cpuOf(cluster.pids) - cpuBefore
  const calls = (await backend.calls()) - callsBefore
  const { completed, data } = await statusAt(`${api}/v2/crawl/${id}?limit=50`)
  await cluster.stop()
  warming.close()
  site.close()
  const document = data.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / data.length
  return { cpu: cpu / completed, document, calls: calls / completed }
}
