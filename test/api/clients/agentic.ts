// The client of Agentic. It is installed beside the other larger clients.
import type { House } from '../bench.ts'
import { key, must, until, type ClientCase } from './cases.ts'
import { load } from './others.ts'
import { words } from './search.ts'

const client = '@agentic/firecrawl 7.6.9'

interface Answer {
  readonly success?: boolean
  readonly id: string
  readonly status?: string
  readonly data?: unknown
  readonly errors?: readonly unknown[]
}

type Methods = 'crawlUrl' | 'checkCrawlStatus' | 'checkCrawlErrors' | 'cancelCrawl' | 'scrapeUrl' | 'search'
type Agentic = Readonly<
  Record<Methods | 'checkExtractStatus' | 'generateLLMsText', (given: unknown) => Promise<Answer>>
> & {
  extract(urls: readonly string[], given: object): Promise<Answer>
}

async function open({ server }: House): Promise<Agentic> {
  const { FirecrawlClient } = (await load('@agentic/firecrawl/dist/index.js')) as {
    readonly FirecrawlClient: new (options: object) => Agentic
  }
  return new FirecrawlClient({ apiKey: key, apiBaseUrl: server.url, throttle: false })
}

export const agenticCases: readonly ClientCase[] = [
  {
    client,
    method: 'scrapeUrl',
    run: async (house) => {
      const found = await (await open(house)).scrapeUrl({ url: house.at('/good/article'), formats: ['markdown'] })
      must(JSON.stringify(found.data)?.includes('but it walks on six'), found)
    },
  },
  {
    client,
    method: 'crawlUrl, checkCrawlStatus, checkCrawlErrors',
    run: async (house) => {
      const agentic = await open(house)
      const { id } = await agentic.crawlUrl({ url: house.at('/crawl/'), limit: 2 })
      const job = await until(
        () => agentic.checkCrawlStatus(id),
        ({ status }) => status === 'completed',
      )
      must(Array.isArray(job.data) && job.data.length === 2, job)
      must((await agentic.checkCrawlErrors(id)).errors?.length === 0, id)
    },
  },
  {
    client,
    method: 'cancelCrawl',
    run: async (house) => {
      const agentic = await open(house)
      const { id } = await agentic.crawlUrl({ url: house.at('/slow/silent?agentic'), limit: 2 })
      must((await agentic.cancelCrawl(id)).status === 'cancelled', id)
    },
  },
  {
    client,
    method: 'extract, checkExtractStatus',
    run: async (house) => {
      const agentic = await open(house)
      const { id } = await agentic.extract([house.at('/good/article')], { prompt: 'How many legs?' })
      const job = await until(
        () => agentic.checkExtractStatus(id),
        ({ status }) => status !== 'processing',
      )
      must(job.status === 'completed' && JSON.stringify(job.data)?.includes('8'), job)
    },
  },
]

export const agenticSearchCases: readonly ClientCase[] = [
  {
    client,
    method: 'search',
    run: async (house) => {
      const found = await (await open(house)).search(words)
      must(found.success && JSON.stringify(found.data)?.includes(house.at('/good/article')), found)
    },
  },
]
