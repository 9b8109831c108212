// The official client of the public API, unmodified, with maps, crawls and batches: both of its versions.
import Client, { FirecrawlAppV1 as ClientV1, SdkError } from '@mendable/firecrawl-js'
import { describe, expect, test } from 'vitest'

import { openHouse } from './bench.ts'

const house = openHouse('fc-key')
const { at } = house
const pages = () => ['/good/article', '/good/docs', '/good/table'].map(at)
const sourcesOf = (documents: readonly { readonly metadata?: object | undefined }[]) =>
  documents.map(({ metadata }) => (metadata as { readonly sourceURL: string }).sourceURL).toSorted()

describe('The client of version 2', () => {
  const client = () => new Client({ apiKey: 'fc-key', apiUrl: house.server.url })

  test('scrapes a batch and gets every page', async () => {
    const job = await client().batchScrape(pages(), {
      options: { formats: ['markdown', 'links'] },
      pollInterval: 1,
      timeout: 20,
    })
    expect(job).toMatchObject({ status: 'completed', total: 3, completed: 3, creditsUsed: 3, next: null })
    expect(sourcesOf(job.data)).toEqual(pages().toSorted())
    expect(Object.keys(job.data[0]!)).toEqual(expect.arrayContaining(['markdown', 'links', 'metadata']))
  })

  test('starts a batch with a key under which it counts once, and adds to it', async () => {
    const options = { idempotencyKey: crypto.randomUUID(), ignoreInvalidURLs: true, maxConcurrency: 1 }
    const first = await client().startBatchScrape([at('/good/article'), 'no url'], options)
    expect(first).toMatchObject({ url: `${house.server.url}/v2/batch/scrape/${first.id}`, invalidURLs: ['no url'] })
    expect((await client().startBatchScrape([at('/good/article'), 'no url'], options)).id).toBe(first.id)
    await client().startBatchScrape([at('/good/docs')], { appendToId: first.id })
    await expect.poll(async () => (await client().getBatchScrapeStatus(first.id)).completed).toBe(2)
  })

  test('crawls a site and gets every page', async () => {
    const job = await client().crawl(at('/crawl/'), {
      limit: 5,
      scrapeOptions: { formats: ['markdown'] },
      pollInterval: 1,
      timeout: 20,
    })
    expect(job).toMatchObject({ status: 'completed', total: 5, completed: 5 })
    expect(new Set(sourcesOf(job.data)).size).toBe(5)
  })

  test('starts a crawl, sees it run, ends it, and asks what failed', async () => {
    const started = await client().startCrawl(at('/slow/silent?sdk'), { sitemap: 'skip', limit: 3 })
    expect(started.url).toBe(`${house.server.url}/v2/crawl/${started.id}`)
    const status = await client().getCrawlStatus(started.id, { autoPaginate: false })
    expect(status).toMatchObject({ status: 'scraping', completed: 0, data: [] })
    const { crawls } = await client().getActiveCrawls()
    expect(crawls).toMatchObject([{ id: started.id, teamId: 'default', url: at('/slow/silent?sdk') }])
    expect(await client().cancelCrawl(started.id)).toBe(true)
    expect(await client().getCrawlErrors(started.id)).toMatchObject({ robotsBlocked: [] })
    expect((await client().getCrawlStatus(started.id)).status).toBe('cancelled')
    const again = await client()
      .cancelCrawl(started.id)
      .catch((error: unknown) => error)
    expect(again).toBeInstanceOf(SdkError)
    expect(again).toMatchObject({ status: 409 })
  })

  test('maps a site', async () => {
    const { links } = await client().map(at('/crawl/'), { limit: 6, sitemap: 'include', includeSubdomains: false })
    expect(links).toHaveLength(6)
    for (const { url } of links) expect(url).toContain(house.site.url)
  })

  test('understands that there is no such job', async () => {
    const error = await client()
      .getCrawlStatus(crypto.randomUUID())
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining('Job not found') as unknown })
  })

  test.each(['crawl', 'batch'] as const)('watches a %s until its end', async (kind) => {
    const started =
      kind === 'crawl'
        ? await client().startCrawl(at('/crawl/'), { limit: 4 })
        : await client().startBatchScrape(pages())
    const watcher = client().watcher(started.id, { kind, timeout: 20 })
    const documents: { readonly metadata?: object }[] = []
    const states: string[] = []
    watcher.on('document', (document: { readonly metadata?: object }) => void documents.push(document))
    watcher.on('snapshot', ({ status }: { readonly status: string }) => void states.push(status))
    const done = new Promise<{ readonly status: string; readonly data: readonly { readonly metadata?: object }[] }>(
      (resolve, reject) => {
        watcher.on('done', resolve)
        watcher.on('error', reject)
      },
    )
    await watcher.start()
    const { status, data } = await done
    expect(status).toBe('completed')
    expect(sourcesOf(data)).toEqual(sourcesOf(documents))
    expect(new Set(sourcesOf(documents)).size).toBe(kind === 'crawl' ? 4 : 3)
    expect(documents).toHaveLength(kind === 'crawl' ? 4 : 3)
    expect(states.length).toBeGreaterThan(0)
  })

  test('gets all documents from a watcher of a job that is larger than one message', async () => {
    const urls = [1, 2, 3].map((page) => at(`/huge/html?mb=4&page=${page}`))
    const options = { formats: ['rawHtml' as const] }
    const { id } = await client().startBatchScrape(urls, { options })
    for (const isEnded of [false, true]) {
      if (isEnded) await expect.poll(async () => (await client().getBatchScrapeStatus(id)).status).toBe('completed')
      const watcher = client().watcher(id, { kind: 'batch', timeout: 200, pollInterval: 1 })
      const seen: { readonly metadata?: object }[] = []
      watcher.on('document', (document: { readonly metadata?: object }) => void seen.push(document))
      const done = new Promise<{ readonly status: string; readonly data: readonly { readonly metadata?: object }[] }>(
        (resolve, reject) => {
          watcher.on('done', resolve)
          watcher.on('error', reject)
        },
      )
      await watcher.start()
      const { status, data } = await done
      expect(status).toBe('completed')
      expect(sourcesOf(data)).toEqual(urls.toSorted())
      expect(sourcesOf(seen)).toEqual(urls.toSorted())
    }
  })

  test('hears from a watcher that a job was cancelled', async () => {
    const { id } = await client().startBatchScrape([at('/good/article'), at('/slow/silent?watch')])
    const watcher = client().watcher(id, { kind: 'batch', timeout: 20 })
    const done = new Promise<unknown>((resolve) => void watcher.on('done', resolve))
    watcher.on('document', () => void client().cancelBatchScrape(id))
    await watcher.start()
    expect(await done).toMatchObject({ status: 'cancelled' })
  })
})

describe('The client of version 1', () => {
  const client = () => new ClientV1({ apiKey: 'fc-key', apiUrl: house.server.url })

  test('scrapes a batch through the path of crawls, and gets every page', async () => {
    const job = await client().batchScrapeUrls(pages(), { formats: ['markdown'] }, 1)
    expect(job).toMatchObject({ success: true, status: 'completed', total: 3, completed: 3 })
    expect(sourcesOf((job as { data: { metadata?: object }[] }).data)).toEqual(pages().toSorted())
  })

  test('crawls a site and gets every page', async () => {
    const job = await client().crawlUrl(at('/crawl/'), { limit: 5, scrapeOptions: { formats: ['markdown'] } }, 1)
    expect(job).toMatchObject({ success: true, status: 'completed', total: 5, completed: 5 })
  })

  test('maps a site', async () => {
    const map = await client().mapUrl(at('/crawl/'), { limit: 6, ignoreSitemap: false })
    expect(map).toMatchObject({
      success: true,
      links: expect.arrayContaining([expect.stringContaining(house.site.url)]) as unknown,
    })
  })

  test('starts a crawl, asks how it stands and what failed, and ends it', async () => {
    const started = await client().asyncCrawlUrl(at('/slow/silent?v1'), { ignoreSitemap: true, limit: 3 })
    expect(started).toMatchObject({ success: true })
    const { id } = started as { readonly id: string }
    expect(await client().checkCrawlStatus(id)).toMatchObject({ success: true, status: 'scraping', data: [] })
    expect(await client().checkCrawlErrors(id)).toMatchObject({ errors: [], robotsBlocked: [] })
    expect(await client().checkCrawlStatus(id)).toMatchObject({ status: 'scraping' })
    expect(await client().cancelCrawl(id)).toMatchObject({ status: 'cancelled' })
    expect(await client().checkCrawlStatus(id, true)).toMatchObject({ status: 'cancelled' })
  })

  test.each(['crawl', 'batch'] as const)('watches a %s until its end, which it hears once', async (kind) => {
    const watcher =
      kind === 'crawl'
        ? await client().crawlUrlAndWatch(at('/crawl/'), { limit: 4 })
        : await client().batchScrapeUrlsAndWatch(pages(), { formats: ['markdown'] })
    const sources: string[] = []
    let ends = 0
    const done = new Promise<{ readonly status: string }>((resolve, reject) => {
      watcher.addEventListener('document', ({ detail }) => void sources.push(detail.metadata?.sourceURL ?? ''))
      watcher.addEventListener('done', ({ detail }) => {
        ends += 1
        resolve(detail)
      })
      watcher.addEventListener('error', ({ detail }) => reject(new Error(detail.error)))
    })
    expect(await done).toMatchObject({ status: 'completed' })
    expect(new Set(sources).size).toBe(kind === 'crawl' ? 4 : 3)
    expect(ends).toBe(1)
  })
})
