// `@mendable/firecrawl-js` as it was in its first major version.
import Client from 'firecrawl-js-1'

import type { House } from '../bench.ts'
import { key, must, type ClientCase } from './cases.ts'

const name = '@mendable/firecrawl-js 1.29.3'
const client = ({ server }: House) => new Client({ apiKey: key, apiUrl: server.url })
const pages = ({ at }: House) => ['/good/article', '/good/docs', '/good/table'].map(at)

export const firstSdkCases: readonly ClientCase[] = [
  {
    client: name,
    method: 'scrapeUrl',
    run: async (house) => {
      const document = await client(house).scrapeUrl(house.at('/good/article'), {
        formats: ['markdown', 'html', 'links'],
      })
      must(document.success && document.markdown?.includes('but it walks on six') && document.html, document)
    },
  },
  {
    client: name,
    method: 'crawlUrl, checkCrawlStatus, checkCrawlErrors, cancelCrawl',
    run: async (house) => {
      const job = await client(house).crawlUrl(
        house.at('/crawl/'),
        { limit: 3, scrapeOptions: { formats: ['markdown'] } },
        1,
      )
      must(job.success && job.status === 'completed' && job.data.length === 3, job)
      const started = await client(house).asyncCrawlUrl(house.at('/slow/silent?first'), { limit: 2 })
      must(started.success, started)
      must((await client(house).checkCrawlStatus(started.id)).success, started)
      must('errors' in (await client(house).checkCrawlErrors(started.id ?? '')), started)
      await client(house).cancelCrawl(started.id ?? '')
    },
  },
  {
    client: name,
    method: 'mapUrl',
    run: async (house) => {
      const found = await client(house).mapUrl(house.at('/crawl/'), { limit: 5 })
      must(found.success && found.links?.length === 5, found)
    },
  },
  {
    client: name,
    method: 'batchScrapeUrls, checkBatchScrapeStatus',
    run: async (house) => {
      const job = await client(house).batchScrapeUrls(pages(house), { formats: ['markdown'] }, 1)
      must(job.success && job.data.length === 3, job)
    },
  },
]
