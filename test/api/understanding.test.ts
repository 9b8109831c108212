// What understands pages, by the official clients, with a language model behind real HTTP that says what was written for it.
import { chatLLM } from '@harvestman/llm'
import { startChatServer, type ChatReply } from '@harvestman/testing'
import Client, { FirecrawlAppV1 as ClientV1 } from '@mendable/firecrawl-js'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { openHouse } from './bench.ts'

const reply: ChatReply = ({ prompt, body }) => {
  if (prompt.includes('Plan a crawl'))
    return { value: { includePaths: ['^/docs'], limit: 20, webhook: 'https://evil.test/' } }
  if (prompt.includes('Summarise')) return { text: 'A shop with a lamp.' }
  if (prompt.includes('Answer this question')) return { text: 'Oak.' }
  if (prompt.includes('Copy the passages')) return { value: { spans: ['The lamp is made of oak', 'It can fly'] } }
  const names = Object.keys(
    (body.response_format?.json_schema?.schema as { properties?: object } | undefined)?.properties ?? {},
  )
  const found: Record<string, string> = { material: 'oak', price: /EUR (\d+)/.exec(prompt)?.[1] ?? '' }
  return { value: Object.fromEntries(names.map((name) => [name, found[name] ?? null])) }
}

const model = await startChatServer({ replies: [reply], key: 'k' })
let price = 12
const shop = createServer((request, response) => {
  const page = `<title>Shop</title><script type="application/ld+json">{"@type":"Product","name":"Aurora"}</script>
    <main><h1>Aurora</h1><p>The lamp is made of oak and costs EUR ${price}. It stands on the table.</p>
    <a href="/docs/one">One</a> <a href="/docs/two">Two</a> <a href="/blog">Blog</a></main>`
  response.writeHead(request.url === '/robots.txt' || request.url?.includes('sitemap') ? 404 : 200, {
    'content-type': 'text/html',
  })
  response.end(page)
})
shop.listen(0, '127.0.0.1')
await once(shop, 'listening')
const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`

const house = openHouse('fc-key', { llm: chatLLM({ url: model.url, key: 'k', model: 'm' }) })
const client = () => new Client({ apiKey: 'fc-key', apiUrl: house.server.url })
const clientV1 = () => new ClientV1({ apiKey: 'fc-key', apiUrl: house.server.url })

afterAll(async () => {
  await model.close()
  shop.closeAllConnections()
  shop.close()
})

beforeEach(() => {
  price = 12
})

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, material: { type: 'string' } },
  required: ['name', 'material'],
}

describe('The client of version 2', () => {
  test('gets json that fits its schema, of which the page marks up a part', async () => {
    const { json, metadata } = await client().scrape(url, { formats: [{ type: 'json', schema }] })
    expect(json).toEqual({ name: 'Aurora', material: 'oak' })
    expect(metadata?.creditsUsed).toBe(5)
  })

  test('gets a summary, an answer and highlights', async () => {
    const document = await client().scrape(url, {
      formats: [
        'summary',
        { type: 'question', question: 'What is it made of?' },
        { type: 'highlights', query: 'oak' },
      ] as never,
    })
    expect(document).toMatchObject({
      summary: 'A shop with a lamp.',
      answer: 'Oak.',
      highlights: 'The lamp is made of oak',
      warning: expect.stringContaining('1 of the highlights') as string,
    })
  })

  test('follows a page', async () => {
    const look = async () =>
      (
        await client().scrape(url, {
          formats: [
            'markdown',
            {
              type: 'changeTracking',
              modes: ['git-diff', 'json'],
              schema: { type: 'object', properties: { price: { type: 'string' } } },
            },
          ],
        })
      ).changeTracking
    expect(await look()).toMatchObject({ changeStatus: 'new', previousScrapeAt: null, visibility: 'visible' })
    expect(await look()).toMatchObject({ changeStatus: 'same' })
    price = 15
    const changed = (await look()) as { diff?: { text: string; json: { files: object[] } }; json?: object }
    expect(changed).toMatchObject({ changeStatus: 'changed', json: { price: { previous: '12', current: '15' } } })
    expect(changed.diff?.text).toContain('+The lamp is made of oak and costs EUR 15.')
    expect(changed.diff?.json.files).toHaveLength(1)
    const asked = `${house.server.url}/v2/changes?url=${encodeURIComponent(url)}`
    const { data } = (await (await fetch(asked, { headers: { authorization: 'Bearer fc-key' } })).json()) as {
      data: { versions: object[] }
    }
    expect(data.versions).toMatchObject([
      { version: 2, checks: 1 },
      { version: 1, checks: 2 },
    ])
  })

  test('plans a crawl from words, and is told what was left out', async () => {
    expect(await client().crawlParamsPreview(url, 'The documentation')).toMatchObject({
      url,
      includePaths: ['^/docs'],
      limit: 20,
      warning: expect.stringContaining('webhook was left out') as string,
    })
  })

  test('crawls from words; what it says itself wins', async () => {
    const { status, data } = await client().crawl(url, { prompt: 'The documentation', limit: 2, pollInterval: 1 })
    expect(status).toBe('completed')
    expect(data.length).toBeGreaterThan(0)
    for (const { metadata } of data) expect(new URL(metadata?.sourceURL ?? '').pathname).toMatch(/^\/(?:docs|$)/)
    expect(data.length).toBeLessThanOrEqual(2)
  })
})

describe('An extract', () => {
  const wanted = { urls: [url, `${url}docs/one`], schema, showSources: true } as const

  test('is one value from many pages, by the client of version 2', async () => {
    const { success, status, data, sources } = await client().extract({
      ...wanted,
      urls: [...wanted.urls],
      pollInterval: 1,
    })
    expect({ success, status, data }).toEqual({
      success: true,
      status: 'completed',
      data: { name: 'Aurora', material: 'oak' },
    })
    expect((sources as { name?: string[] } | undefined)?.name?.toSorted()).toEqual([url, `${url}docs/one`])
  })

  test('of a site reads the pages below the address', async () => {
    const { data, sources } = await client().extract({
      urls: [`${url}*`],
      schema,
      showSources: true,
      pollInterval: 1,
    })
    expect(data).toEqual({ name: 'Aurora', material: 'oak' })
    expect((sources as { name?: string[] } | undefined)?.name?.length).toBeGreaterThan(1)
  })

  test('by the client of version 1', async () => {
    const answer = await clientV1().extract([url], { schema })
    expect(answer).toMatchObject({ success: true, data: { name: 'Aurora', material: 'oak' } })
  })

  test('that comes to nothing says why', async () => {
    const answer = await client().extract({ urls: ['http://10.0.0.1/'], schema, pollInterval: 1 })
    expect(answer).toMatchObject({ success: false, status: 'failed', error: expect.stringMatching(/./) as string })
  })

  test('is only there for its team, and under its own address', async () => {
    const { id } = await client().startExtract({ urls: [url], schema })
    const crawl = await client().startCrawl(url, { limit: 1 })
    await expect(client().getExtractStatus(crawl.id)).rejects.toThrow()
    await expect(client().getExtractStatus(id ?? '')).resolves.toMatchObject({ success: true })
  })
})

describe('The client of version 1', () => {
  test('gets json under all of its names', async () => {
    const document = await clientV1().scrapeUrl(url, { formats: ['json'], jsonOptions: { schema } as never })
    expect(document).toMatchObject({ success: true, json: { name: 'Aurora', material: 'oak' } })
  })

  test('follows a page, with the difference as a text', async () => {
    const look = () =>
      clientV1().scrapeUrl(`${url}?v1`, {
        formats: ['markdown', 'changeTracking'],
        changeTrackingOptions: { modes: ['git-diff'] },
      } as never)
    expect(await look()).toMatchObject({ changeTracking: { changeStatus: 'new' } })
    price = 15
    expect(await look()).toMatchObject({
      changeTracking: { changeStatus: 'changed', diff: expect.stringContaining('EUR 15') as string },
    })
  })
})
