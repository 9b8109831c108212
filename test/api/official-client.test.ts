// The official client of the public API, unmodified, against our server: both of its versions.
import { fakeBrowser, goodPages, scriptedLLM } from '@harvestman/testing'
import Client, { FirecrawlAppV1 as ClientV1, SdkError } from '@mendable/firecrawl-js'
import { describe, expect, test } from 'vitest'

import { openHouse } from './bench.ts'

const browser = fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } })
const house = openHouse('fc-key', { browser, llm: scriptedLLM([{ value: { legs: 8 } }]) })
const article = goodPages.find(({ path }) => path === '/good/article')!

const schema = { type: 'object', properties: { legs: { type: 'number' } } }

describe('The client of version 2', () => {
  const client = (apiKey = 'fc-key') => new Client({ apiKey, apiUrl: house.server.url })

  test('scrapes a page', async () => {
    const document = await client().scrape(house.site.url + article.path)
    expect(document.markdown).toContain('but it walks on six')
    expect(document.metadata).toMatchObject({
      title: article.title,
      statusCode: 200,
      sourceURL: house.site.url + article.path,
    })
  })

  test('gets every format it asks for', async () => {
    const document = await client().scrape(house.site.url + article.path, {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'json', prompt: 'How many legs?', schema }],
      onlyMainContent: false,
      timeout: 10_000,
      parsers: ['pdf'],
      location: { country: 'DE' },
      fastMode: true,
      maxAge: 1_000,
      integration: '_test',
    })
    expect(Object.keys(document)).toEqual(
      expect.arrayContaining(['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'metadata']),
    )
    expect(document.json).toEqual({ legs: 8 })
  })

  test('gets pictures and what actions brought', async () => {
    const document = await client().scrape('http://127.0.0.1:8000/js', {
      formats: [{ type: 'screenshot', fullPage: true }],
      actions: [{ type: 'wait', milliseconds: 1 }, { type: 'scrape' }],
    })
    expect(document.screenshot).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/files\/[\da-f-]{36}$/)
    expect(document.actions).toMatchObject({ scrapes: [{ url: 'http://127.0.0.1:8000/js' }] })
  })

  test.each([
    ['a wrong key', () => client('fc-other').scrape(house.site.url), 401, 'UNAUTHORIZED'],
    [
      'a format that is none',
      () => client().scrape(house.site.url, { formats: ['knowledgeGraph' as never] }),
      400,
      'BAD_REQUEST',
    ],
    ['an address that is closed', () => client().scrape('http://10.0.0.1/'), 403, 'URL_BLOCKED'],
    ['a slow page', () => client().scrape(`${house.site.url}/slow/silent`, { timeout: 1_000 }), 408, 'SCRAPE_TIMEOUT'],
  ])('understands what is wrong with %s', async (_, ask, status, code) => {
    const error = await ask().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SdkError)
    expect(error).toMatchObject({ status, code })
  })
})

describe('The client of version 1', () => {
  const client = () => new ClientV1({ apiKey: 'fc-key', apiUrl: house.server.url })

  test('scrapes a page', async () => {
    const document = await client().scrapeUrl(house.site.url + article.path, { formats: ['markdown', 'links'] })
    expect(document).toMatchObject({ success: true, markdown: expect.stringContaining('but it walks on six') })
  })

  test.each([
    ['extract' as const, { formats: ['extract' as const], extract: { prompt: 'How many legs?' } }],
    ['json' as const, { formats: ['json' as const], jsonOptions: { prompt: 'How many legs?' } }],
  ])('gets extracted data as %s, the name of the requested format', async (format, params) => {
    const document = await client().scrapeUrl(house.site.url + article.path, params)
    expect(document).toMatchObject({ success: true, [format]: { legs: 8 } })
    expect(document).not.toHaveProperty(format === 'json' ? 'extract' : 'json')
  })

  test('understands what is wrong', async () => {
    const asking = client().scrapeUrl(house.site.url, { formats: ['nothing' as 'markdown'] })
    await expect(asking).rejects.toThrow(/400.*formats\[0\] is \\"nothing\\"/)
  })
})
