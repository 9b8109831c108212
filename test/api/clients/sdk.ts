// npm `firecrawl` in version 2, and the client of version 1 in it.
import Client, { FirecrawlAppV1 } from 'firecrawl'

import type { House } from '../bench.ts'
import { key, must, notOffered, until, type ClientCase } from './cases.ts'

const name = 'firecrawl 4.42.0'
const nameV1 = 'firecrawl 4.42.0, `v1`'
const client = ({ server }: House) => new Client({ apiKey: key, apiUrl: server.url })
const clientV1 = ({ server }: House) => new FirecrawlAppV1({ apiKey: key, apiUrl: server.url })
const pages = ({ at }: House) => ['/good/article', '/good/docs', '/good/table'].map(at)
const schema = { type: 'object', properties: { legs: { type: 'number' } } }

type Methods = Readonly<Record<string, (house: House) => Promise<void>>>

const scraping: Methods = {
  scrape: async (house) => {
    const document = await client(house).scrape(house.at('/good/article'), {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'json', prompt: 'How many legs?', schema }],
      onlyMainContent: true,
      includeTags: ['main'],
      maxAge: 0,
      timeout: 20_000,
    })
    must(document.markdown?.includes('but it walks on six'), document.markdown)
    must(document.html?.includes('<main') || document.html?.includes('<p'), document.html)
    must(document.rawHtml?.includes('<html'), document.rawHtml)
    must(Array.isArray(document.links) && Array.isArray(document.images), document)
    must((document.json as { legs?: number }).legs === 8, document.json)
    must(
      document.metadata?.statusCode === 200 && document.metadata.sourceURL === house.at('/good/article'),
      document.metadata,
    )
  },
  'scrape, with a screenshot and actions': async (house) => {
    const document = await client(house).scrape('http://127.0.0.1:8000/js', {
      formats: [{ type: 'screenshot', fullPage: true }],
      actions: [{ type: 'wait', milliseconds: 1 }, { type: 'scrape' }],
    })
    must((await fetch(document.screenshot ?? '')).ok, document.screenshot)
    must((document.actions as { scrapes: unknown[] }).scrapes.length === 1, document.actions)
  },
  parse: async (house) => {
    const page = '<title>A file</title><main><h1>A file</h1><p>It has eight legs.</p></main>'
    const file = { data: page, filename: 'file.html', contentType: 'text/html' }
    const { markdown, metadata } = await client(house).parse(file, { formats: ['markdown'] })
    must(markdown?.includes('It has eight legs.') && metadata?.title === 'A file', { markdown, metadata })
  },
  map: async (house) => {
    const { links } = await client(house).map(house.at('/crawl/'), { limit: 6, sitemap: 'include' })
    must(links.length === 6 && links.every(({ url }) => url.startsWith(house.site.url)), links)
  },
}

const jobs: Methods = {
  crawl: async (house) => {
    const job = await client(house).crawl(house.at('/crawl/'), { limit: 4, pollInterval: 1, timeout: 30 })
    must(job.status === 'completed' && job.completed === 4 && job.data.length === 4, job)
    must(
      job.data.every(({ markdown }) => markdown),
      job.data,
    )
  },
  'startCrawl, getCrawlStatus, getActiveCrawls, cancelCrawl, getCrawlErrors': async (house) => {
    const sdk = client(house)
    const { id, url } = await sdk.startCrawl(house.at('/slow/silent?table'), { sitemap: 'skip', limit: 3 })
    must(url === `${house.server.url}/v2/crawl/${id}`, url)
    const { crawls } = await sdk.getActiveCrawls()
    must(
      crawls.some((crawl) => crawl.id === id),
      crawls,
    )
    must((await sdk.getCrawlStatus(id, { autoPaginate: false })).status === 'scraping', id)
    must(await sdk.cancelCrawl(id), id)
    must((await sdk.getCrawlStatus(id)).status === 'cancelled', id)
    must(Array.isArray((await sdk.getCrawlErrors(id)).robotsBlocked), id)
  },
  batchScrape: async (house) => {
    const job = await client(house).batchScrape(pages(house), { pollInterval: 1, timeout: 30 })
    must(job.status === 'completed' && job.data.length === 3, job)
  },
  'startBatchScrape, getBatchScrapeStatus, getBatchScrapeErrors, cancelBatchScrape': async (house) => {
    const sdk = client(house)
    const urls = [house.at('/good/article'), 'no url', house.at('/slow/silent?batch')]
    const { id, invalidURLs } = await sdk.startBatchScrape(urls, { ignoreInvalidURLs: true })
    must(invalidURLs?.[0] === 'no url', invalidURLs)
    await until(
      () => sdk.getBatchScrapeStatus(id, { autoPaginate: false }),
      ({ completed }) => completed === 1,
    )
    must(Array.isArray((await sdk.getBatchScrapeErrors(id)).errors), id)
    must(await sdk.cancelBatchScrape(id), id)
  },
  'watcher, of a crawl': async (house) => {
    const { id } = await client(house).startCrawl(house.at('/crawl/'), { limit: 3 })
    await watched(house, id, 'crawl', 3)
  },
  'watcher, of a batch': async (house) => {
    const { id } = await client(house).startBatchScrape(pages(house))
    await watched(house, id, 'batch', 3)
  },
}

async function watched(house: House, id: string, kind: 'crawl' | 'batch', count: number): Promise<void> {
  const watcher = client(house).watcher(id, { kind, timeout: 30 })
  const documents: unknown[] = []
  watcher.on('document', (document) => void documents.push(document))
  const done = new Promise<{ readonly status: string }>((resolve, reject) => {
    watcher.on('done', resolve)
    watcher.on('error', reject)
  })
  await watcher.start()
  const { status } = await done
  must(status === 'completed' && documents.length === count, { status, documents })
}

/** What this server was not given is 503, and never 501. */
const notConfigured: Methods = {
  'interact, stopInteraction, browser, browserExecute, listBrowsers, deleteBrowser': async (house) => {
    const sdk = client(house)
    const id = crypto.randomUUID()
    const asked = [
      sdk.interact(id, { code: '1' }),
      sdk.stopInteraction(id),
      sdk.browser(),
      sdk.browserExecute(id, { code: '1' }),
      sdk.listBrowsers(),
      sdk.deleteBrowser(id),
    ]
    await areUnavailable(asked)
  },
}

// test/api/monitors.test.ts has more about their values.
const monitoring: Methods = {
  'createMonitor, listMonitors, getMonitor, updateMonitor, deleteMonitor, runMonitor, listMonitorChecks, getMonitorCheck':
    async (house) => {
      const sdk = client(house)
      const targets = [{ type: 'scrape' as const, urls: [house.at('/good/article')] }]
      const { id } = await sdk.createMonitor({ name: 'Article', schedule: { cron: '0 * * * *' }, targets })
      must(
        (await sdk.listMonitors()).some((one) => one.id === id),
        id,
      )
      const check = await sdk.runMonitor(id)
      const isOver = ({ status }: { readonly status: string }) => status !== 'queued' && status !== 'running'
      const { status, pages } = await until(() => sdk.getMonitorCheck(id, check.id), isOver)
      must(status === 'completed' && pages.length === 1, { status, pages })
      must((await sdk.listMonitorChecks(id)).length === 1, id)
      must((await sdk.updateMonitor(id, { status: 'paused' })).status === 'paused', id)
      must((await sdk.getMonitor(id)).name === 'Article', id)
      must(await sdk.deleteMonitor(id), id)
    },
}

async function areUnavailable(asked: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(asked)) {
    const status = outcome.status === 'rejected' ? (outcome.reason as { readonly status?: number }).status : 200
    must(status === 503, outcome.status === 'rejected' ? String(outcome.reason) : outcome.value)
  }
}

const missing: Methods = {
  developerSearch: async (house) => notOffered(client(house).developerSearch('a')),
}

const feedback: Methods = {
  'feedback, searchFeedback': async (house) => {
    const sdk = client(house)
    const { metadata } = await sdk.scrape(house.at('/good/article'))
    const jobId = String(metadata?.['scrapeId'])
    const given = await sdk.feedback({ endpoint: 'scrape', jobId, rating: 'good', note: 'It has all legs.' })
    must(given.success && given.creditsRefunded === 0, given)
    const [unknown] = await Promise.allSettled([
      sdk.searchFeedback(crypto.randomUUID(), { rating: 'bad', querySuggestions: 'legs' }),
    ])
    must(unknown.status === 'rejected' && String(unknown.reason).includes('no search with this id'), unknown)
  },
}

const agents: Methods = {
  'startAgent, cancelAgent, getAgentTrace, getAgentSnapshot': async (house) => {
    const sdk = client(house)
    const { id } = await sdk.startAgent({ prompt: 'silence: how many legs?' })
    await sdk.cancelAgent(id)
    const { events = [] } = await until(
      () => sdk.getAgentTrace(id),
      (trace) => trace.events?.at(-1)?.type === 'run.finished',
    )
    must(events[0]?.type === 'run.started', events)
    const [outcome] = await Promise.allSettled([sdk.getAgentSnapshot(id, 'answer')])
    must(outcome.status === 'rejected' && String(outcome.reason).includes('Snapshot not found'), outcome)
  },
}

const older: Methods = {
  scrapeUrl: async (house) => {
    const document = await clientV1(house).scrapeUrl(house.at('/good/article'), {
      formats: ['markdown', 'links', 'json'],
      jsonOptions: { prompt: 'How many legs?', schema: schema as never },
    })
    must(document.success && document.markdown?.includes('but it walks on six'), document)
    must((document as { json?: { legs?: number } }).json?.legs === 8, document)
  },
  'crawlUrl, asyncCrawlUrl, checkCrawlStatus, checkCrawlErrors, cancelCrawl': async (house) => {
    const sdk = clientV1(house)
    const job = await sdk.crawlUrl(house.at('/crawl/'), { limit: 3 }, 1)
    must(job.success && job.status === 'completed' && job.data.length === 3, job)
    const started = await sdk.asyncCrawlUrl(house.at('/slow/silent?older'), { ignoreSitemap: true, limit: 2 })
    must(started.success, started)
    const id = started.id ?? ''
    must((await sdk.checkCrawlStatus(id)).success, id)
    must('errors' in (await sdk.checkCrawlErrors(id)), id)
    must((await sdk.checkCrawlStatus(id)).success, 'asking for errors has ended the crawl')
    await sdk.cancelCrawl(id)
  },
  mapUrl: async (house) => {
    const found = await clientV1(house).mapUrl(house.at('/crawl/'), { limit: 5 })
    must(found.success && found.links?.length === 5 && typeof found.links[0] === 'string', found)
  },
  'batchScrapeUrls, asyncBatchScrapeUrls, checkBatchScrapeStatus, checkBatchScrapeErrors': async (house) => {
    const sdk = clientV1(house)
    const job = await sdk.batchScrapeUrls(pages(house), { formats: ['markdown'] }, 1)
    must(job.success && job.data.length === 3, job)
    const started = await sdk.asyncBatchScrapeUrls(pages(house), {})
    must(started.success, started)
    must((await sdk.checkBatchScrapeStatus(started.id ?? '')).success, started)
    must('errors' in (await sdk.checkBatchScrapeErrors(started.id ?? '')), started)
  },
  'crawlUrlAndWatch, batchScrapeUrlsAndWatch': async (house) => {
    const sdk = clientV1(house)
    await watchedV1(await sdk.crawlUrlAndWatch(house.at('/crawl/'), { limit: 3 }))
    await watchedV1(await sdk.batchScrapeUrlsAndWatch(pages(house), { formats: ['markdown'] }))
  },
}

async function watchedV1(watcher: Awaited<ReturnType<FirecrawlAppV1['crawlUrlAndWatch']>>): Promise<void> {
  const { status } = await new Promise<{ readonly status: string }>((resolve, reject) => {
    watcher.addEventListener('done', ({ detail }) => resolve(detail))
    watcher.addEventListener('error', ({ detail }) => reject(new Error(detail.error)))
  })
  must(status === 'completed', status)
}

const casesOf = (client: string, methods: Methods, refused?: ClientCase['refused']): ClientCase[] =>
  Object.entries(methods).map(([method, run]) => ({ client, method, refused, run }))

export const sdkCases: readonly ClientCase[] = [
  ...casesOf(name, { ...scraping, ...jobs, ...monitoring, ...agents, ...feedback }),
  ...casesOf(name, notConfigured, 'not configured'),
  ...casesOf(name, missing, 'not offered'),
  ...casesOf(nameV1, older),
]
