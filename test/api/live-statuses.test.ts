// @module-tag long
// @module-tag bubblewrap
// @module-tag browser
// Each way in which a live browser can be refused over HTTP, and what is paid for one. Real Chromium.
import { createServer, type Server as Web } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, memoryStore, type Engine } from '@harvestman/core'
import { live, type LiveOptions } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { chatLLM } from '@harvestman/llm'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { askServer, type Body } from './bench.ts'

type Options = NonNullable<Parameters<typeof createEngine>[0]>
type Ask = (method: string, path: string, body?: object, key?: string) => ReturnType<typeof askServer>

let site: Web
let origin: string
const open: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  site = createServer((request, response) => {
    const next = request.url === '/' ? '<a href="/next">Next</a>' : ''
    const asked = `${request.url} ${String(request.headers['x-from'] ?? '')}`
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${asked}</title><main><h1>Page</h1><p>One page of a shop.</p>${next}</main>`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})
afterAll(() => {
  site.close()
  site.closeAllConnections()
})

async function start(options: Options = {}): Promise<{ readonly engine: Engine; readonly ask: Ask }> {
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], ...options })
  const server = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
  open.push(
    () => engine.close(),
    () => server.close(),
  )
  return { engine, ask: (method, path, body, key) => ask({ server }, method, path, body, key) }
}

const ask = (at: { server: Server }, method: string, path: string, body?: object, key = 'key-one') =>
  askServer(at, method, path, { ...(body && { body }), key })

/** With a browser, and live browsers of these options. */
const withLive = (options: LiveOptions = {}): Options => ({
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions(), ...options })],
})

async function scrape(ask: Ask, more: object = {}): Promise<string> {
  const { body } = await ask('POST', '/v2/scrape', { url: `${origin}/`, ...more })
  return (body.data as unknown as { metadata: { scrapeId: string } }).metadata.scrapeId
}

const prompt = { prompt: 'What is this?' }
const code = { code: 'await page.title()' }
const answering = () => scriptedLLM(Array.from({ length: 5 }, () => ({ value: 'A shop.' })))

describe('credits', () => {
  test('for the whole life of a session must be there: 402, and nothing is opened', async () => {
    const { engine, ask } = await start(withLive({ sandbox: localSandbox({ bound: 'watched' }) }))
    await engine.ledger.grant({ team: 'one', credits: 10, id: 'a' })
    const id = await scrape(ask)
    expect(await ask('POST', `/v2/scrape/${id}/interact`, code)).toMatchObject({
      status: 402,
      body: { success: false },
    })
    expect(await ask('POST', '/v2/browser', {})).toMatchObject({ status: 402, body: { success: false } })
    expect((await ask('GET', '/v2/browser?status=active')).body['sessions']).toEqual([])
    expect(await engine.usage({ team: 'one' })).toMatchObject({ credits: 9, held: 0 })
    expect((await ask('POST', `/v2/scrape/${id}/interact`, { ...code, ttl: 60 })).status).toBe(200)
    await ask('DELETE', `/v2/scrape/${id}/interact`)
    expect(await engine.usage({ team: 'one' })).toMatchObject({ credits: 7, held: 0, used: 3 })
  })

  test(
    'for a task in words are more: 402 when they are not there, and 7 a minute when they are',
    { tags: ['long'] },
    async () => {
      const { engine, ask } = await start({
        ...withLive({ sandbox: localSandbox({ bound: 'watched' }) }),
        llm: answering(),
      })
      await engine.ledger.grant({ team: 'one', credits: 6, id: 'a' })
      const id = await scrape(ask)
      const at = `/v2/scrape/${id}/interact`
      expect((await ask('POST', at, { ...code, ttl: 60 })).status).toBe(200)
      expect(await ask('POST', at, prompt)).toMatchObject({ status: 402, body: { success: false } })
      await engine.ledger.grant({ team: 'one', credits: 5, id: 'b' })
      expect(await ask('POST', at, prompt)).toMatchObject({ status: 200, body: { output: 'A shop.' } })
      expect((await ask('DELETE', at)).body['creditsBilled']).toBe(7)
      expect(await engine.usage({ team: 'one' })).toMatchObject({ credits: 3, held: 0 })
    },
  )
})

describe('what a live browser needs and is not there', () => {
  test('is 503 on a server without live browsers, without code, or without a model', async () => {
    const bare = await start()
    const id = await scrape(bare.ask)
    expect((await bare.ask('POST', `/v2/scrape/${id}/interact`, prompt)).status).toBe(503)
    expect((await bare.ask('POST', '/v2/browser', {})).status).toBe(503)
    const { ask } = await start(withLive())
    const other = await scrape(ask)
    expect((await ask('POST', `/v2/scrape/${other}/interact`, code)).status).toBe(503)
    expect((await ask('POST', `/v2/scrape/${other}/interact`, prompt)).status).toBe(503)
  })

  test('is 502 when the browser cannot be started, and the scrape can be tried again', { tags: ['long'] }, async () => {
    const { engine, ask } = await start({
      ...withLive({
        sessions: puppeteerSessions({ executablePath: '/usr/bin/false' }),
        sandbox: localSandbox({ bound: 'watched' }),
      }),
    })
    await engine.ledger.grant({ team: 'one', credits: 100, id: 'a' })
    const id = await scrape(ask)
    for (const _ of [1, 2])
      expect(await ask('POST', `/v2/scrape/${id}/interact`, code)).toMatchObject({
        status: 502,
        body: { success: false },
      })
    expect(await engine.usage({ team: 'one' })).toMatchObject({ credits: 99, held: 0 })
  })

  test('is 502 when the language model cannot be reached', { tags: ['long'] }, async () => {
    const llm = chatLLM({ url: 'http://127.0.0.1:1/v1', model: 'none', retries: 0, firstWait: 1 })
    const { ask } = await start({ ...withLive(), llm })
    const id = await scrape(ask)
    expect(await ask('POST', `/v2/scrape/${id}/interact`, prompt)).toMatchObject({
      status: 502,
      body: { success: false },
    })
  })
})

describe('a page of a job', () => {
  const pagesOf = async (ask: Ask, path: string, body: object): Promise<Body['data']> => {
    const { body: job } = await ask('POST', path, body)
    const status = async () => (await ask('GET', `${path}/${job.id}`)).body
    await expect.poll(async () => (await status()).status).toBe('completed')
    return (await status()).data
  }
  const idOf = (page: Body['data'][number] | undefined) => String(page?.metadata['scrapeId'])

  test(
    'is gone on from with the options of its job: those of a crawl, and those of a batch',
    { tags: ['long'] },
    async () => {
      const { ask } = await start(withLive({ sandbox: localSandbox({ bound: 'watched' }) }))
      const scrapeOptions = { headers: { 'x-from': 'crawl' } }
      const crawled = await pagesOf(ask, '/v2/crawl', { url: `${origin}/`, limit: 2, sitemap: 'skip', scrapeOptions })
      const next = crawled.find(({ metadata }) => String(metadata['sourceURL']).endsWith('/next'))
      const first = await ask('POST', `/v2/scrape/${idOf(next)}/interact`, code)
      expect(first).toMatchObject({ status: 200, body: { result: '/next crawl' } })
      const batched = await pagesOf(ask, '/v2/batch/scrape', { urls: [`${origin}/b`], headers: { 'x-from': 'batch' } })
      const second = await ask('POST', `/v2/scrape/${idOf(batched[0])}/interact`, code)
      expect(second).toMatchObject({ status: 200, body: { result: '/b batch' } })
      expect((await ask('POST', `/v2/scrape/${idOf(next)}/interact`, code, 'key-two')).status).toBe(403)
      await ask('DELETE', `/v2/scrape/${idOf(next)}/interact`)
      expect((await ask('POST', `/v2/scrape/${idOf(next)}/interact`, code)).status).toBe(410)
    },
  )

  test.each([
    ['batch', '/v2/batch/scrape', () => ({ urls: [`${origin}/b`] })],
    ['crawl', '/v2/crawl', () => ({ url: `${origin}/`, limit: 1, sitemap: 'skip' })],
  ])('of which nothing may be kept is not: 409, for a %s', async (_name, path, body) => {
    const { ask } = await start(withLive({ sandbox: localSandbox({ bound: 'watched' }) }))
    const [page] = await pagesOf(ask, path, { ...body(), zeroDataRetention: true })
    expect(await ask('POST', `/v2/scrape/${idOf(page)}/interact`, code)).toMatchObject({
      status: 409,
      body: { success: false, error: expect.stringMatching(/Scrape it again/) as unknown },
    })
  })
})

test('a scrape that was kept without how it came about is 409, as one of a server without live browsers', async () => {
  const store = memoryStore()
  const id = await scrape((await start({ store })).ask)
  const { ask } = await start({ ...withLive({ sandbox: localSandbox({ bound: 'watched' }) }), store })
  expect(await ask('POST', `/v2/scrape/${id}/interact`, code)).toMatchObject({ status: 409, body: { success: false } })
  expect((await ask('POST', `/v2/scrape/${crypto.randomUUID()}/interact`, code)).status).toBe(404)
})
