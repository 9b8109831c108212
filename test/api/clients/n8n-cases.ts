// Operations of the n8n node, with the parameters that its form sends.
import type { House } from '../bench.ts'
import { key, must, until, type ClientCase } from './cases.ts'
import { runN8n, type NodeResult } from './n8n.ts'
import { words } from './search.ts'

const client = '@mendable/n8n-nodes-firecrawl 2.1.2'

const run = (house: House, resource: string, operation: string, given: object = {}): Promise<NodeResult> =>
  runN8n({ baseUrl: `${house.server.url}/v2`, apiKey: key }, { resource, operation, ...given })

async function succeed(...given: Parameters<typeof run>): Promise<NodeResult['json']> {
  const { status, json } = await run(...given)
  must(status === 200, { status, json })
  return json
}

async function fail(wanted: number, ...given: Parameters<typeof run>): Promise<void> {
  const { status, json } = await run(...given)
  must(status === wanted && json['success'] === false, { status, json })
}

/** The response of operations that put it into `data`, or the response itself. */
const idOf = (json: NodeResult['json']) =>
  String((json['data'] as NodeResult['json'] | undefined)?.['id'] ?? json['id'])
const has = (json: NodeResult['json'], text: string) => must(JSON.stringify(json).includes(text), json)

/** Every field of the form of a scrape, with the defaults that the form adds. */
const scrapeOptions = {
  options: {
    formats: {
      format: [{ type: 'markdown' }, { type: 'links' }, { type: 'json', prompt: 'How many legs?', schema: '{}' }],
    },
    onlyMainContent: true,
    includeTags: { items: [{ tag: 'main' }] },
    excludeTags: {},
    headers: {},
    waitFor: 0,
    mobile: false,
    skipTlsVerification: false,
    timeout: 30_000,
    actions: {
      items: [
        { type: 'scroll', direction: 'down', selector: '' },
        { type: 'wait', milliseconds: 1 },
      ],
    },
    location: { settings: { country: 'US', languages: { language: [{ code: 'en' }] } } },
    removeBase64Images: true,
    blockAds: true,
    storeInCache: true,
    proxy: 'basic',
  },
}
const inFormats = { options: { formats: { format: [{ type: 'markdown' }] } } }

const working: Readonly<Record<string, (house: House) => Promise<void>>> = {
  scrape: async (house) =>
    has(await succeed(house, 'Scraping', 'scrape', { url: house.at('/good/article') }), 'on six'),
  'scrape, with every field of the form': async (house) => {
    const given = { url: 'http://127.0.0.1:8000/js', parsers: ['pdf'], scrapeOptions }
    const { data } = (await succeed(house, 'Scraping', 'scrape', given)) as { readonly data?: NodeResult['json'] }
    must(data?.['markdown'] === '# Made by a script' && Array.isArray(data['links']), data)
  },
  'scrape, with a custom body': async (house) => {
    const customBody = JSON.stringify({ url: house.at('/good/article'), formats: ['html'] })
    has(await succeed(house, 'Scraping', 'scrape', { url: 'x', useCustomBody: true, customBody }), '<h1')
  },
  'batchScrape, batchScrapeStatus, batchScrapeErrors, cancelBatchScrape': async (house) => {
    const given = { urls: `${house.at('/good/article')}, ${house.at('/slow/silent?n8n')}`, scrapeOptions: inFormats }
    const batchId = idOf(await succeed(house, 'Scraping', 'batchScrape', given))
    await until(
      () => succeed(house, 'Scraping', 'batchScrapeStatus', { batchId }),
      ({ completed }) => completed === 1,
    )
    has(await succeed(house, 'Scraping', 'batchScrapeErrors', { batchId }), '"errors"')
    has(await succeed(house, 'Scraping', 'cancelBatchScrape', { batchId }), 'cancelled')
  },
  'crawl, getCrawlStatus, getCrawlErrors': async (house) => {
    const given = { url: house.at('/crawl/'), limit: 3, includePaths: { items: [{ path: 'crawl' }] } }
    const crawlId = idOf(await succeed(house, 'Crawling', 'crawl', given))
    const status = await until(
      () => succeed(house, 'Crawling', 'getCrawlStatus', { crawlId }),
      (json) => JSON.stringify(json).includes('"status":"completed"'),
    )
    has(status, '"completed":3')
    has(await succeed(house, 'Crawling', 'getCrawlErrors', { crawlId }), '"errors"')
  },
  'crawlActive, cancelCrawl': async (house) => {
    const crawlId = idOf(await succeed(house, 'Crawling', 'crawl', { url: house.at('/slow/silent?active'), limit: 2 }))
    has(await succeed(house, 'Crawling', 'crawlActive'), crawlId)
    has(await succeed(house, 'Crawling', 'cancelCrawl', { crawlId }), 'cancelled')
  },
  map: async (house) => has(await succeed(house, 'MapSearch', 'map', { url: house.at('/crawl/') }), '/crawl/page/1'),
  'extract, getExtractStatus': async (house) => {
    const given = { urls: { items: [{ url: house.at('/good/article') }] }, prompt: 'How many legs?' }
    const extractId = idOf(await succeed(house, 'Extract', 'extract', given))
    await until(
      () => succeed(house, 'Extract', 'getExtractStatus', { extractId }),
      (json) => /"status":"completed"/.test(JSON.stringify(json)),
    )
  },
  'agentAsync, getAgentStatus': async (house) => {
    const given = { prompt: 'How many legs?', specifyUrls: true, urls: house.at('/good/article') }
    const agentId = idOf(
      await succeed(house, 'Agent', 'agentAsync', { ...given, schemaType: 'fromExample', jsonExample: '{"legs":6}' }),
    )
    await until(
      () => succeed(house, 'Agent', 'getAgentStatus', { agentId }),
      (json) => isOver.test(JSON.stringify(json)),
    )
  },
  'teamCreditUsage, creditUsageHistorical, teamTokenUsage, teamTokenUsageHistorical, teamQueueStatus': async (
    house,
  ) => {
    has(await succeed(house, 'Account', 'teamCreditUsage'), 'remainingCredits')
    has(await succeed(house, 'Account', 'creditUsageHistorical'), 'periods')
    has(await succeed(house, 'Account', 'teamTokenUsage'), 'remainingTokens')
    has(await succeed(house, 'Account', 'teamTokenUsageHistorical'), 'periods')
    has(await succeed(house, 'Account', 'teamQueueStatus'), 'maxConcurrency')
  },
}

/** The scripted model plans nothing, so that agents end without an answer. */
const isOver = /"status":"(?:completed|failed)"/

/** Waits two seconds between two polls. */
export const slowOperation = 'agent'

const casesOf = (methods: typeof working, refused?: ClientCase['refused']): ClientCase[] =>
  Object.entries(methods).map(([method, run]) => ({ client, method, refused, run }))

export const n8nCases: readonly ClientCase[] = [
  ...casesOf(working),
  ...casesOf({
    [slowOperation]: async (house) => {
      const given = { prompt: 'How?', specifyUrls: true, urls: house.at('/good/article') }
      const json = await succeed(house, 'Agent', 'agent', given)
      must(isOver.test(JSON.stringify(json)), json)
    },
  }),
  ...casesOf(
    {
      'browserContext, browserList, browserCreate, browserExecute, browserDelete, interactContext, interact, interactStop':
        async (house) => {
          const id = crypto.randomUUID()
          for (const operation of ['browserContext', 'browserList', 'browserCreate'])
            await fail(503, house, 'Browser', operation)
          await fail(503, house, 'Browser', 'browserExecute', { sessionId: id, code: '1' })
          await fail(503, house, 'Browser', 'browserDelete', { sessionId: id })
          await fail(503, house, 'Interact', 'interactContext')
          await fail(503, house, 'Interact', 'interact', { scrapeId: id, prompt: 'What is it?' })
          await fail(503, house, 'Interact', 'interactStop', { scrapeId: id })
        },
    },
    'not configured',
  ),
  ...casesOf(
    {
      'crawl, extract, with formats': async (house) => {
        await fail(400, house, 'Crawling', 'crawl', { url: house.at('/crawl/'), scrapeOptions: inFormats })
        const urls = { items: [{ url: house.at('/good/article') }] }
        await fail(400, house, 'Extract', 'extract', { urls, prompt: 'legs', scrapeOptions: inFormats })
      },
      'crawl, with ignoreSitemap': async (house) =>
        fail(400, house, 'Crawling', 'crawl', { url: house.at('/crawl/'), crawlOptions: { ignoreSitemap: true } }),
      crawlParamsPreview: async (house) =>
        fail(405, house, 'Crawling', 'crawlParamsPreview', { url: house.at('/crawl/'), prompt: 'Three pages' }),
    },
    'invalid request of the client',
  ),
]

export const n8nSearchCases: readonly ClientCase[] = [
  {
    client,
    method: 'search',
    run: async (house) =>
      has(await succeed(house, 'MapSearch', 'search', { query: words, limit: 3 }), house.at('/good/article')),
  },
]
