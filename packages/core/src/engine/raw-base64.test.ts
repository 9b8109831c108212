// The format rawBase64: the body of the response as received.
import { fakeBrowser, scriptedSearch } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { createEngine } from './engine.ts'
import type { EngineOptions } from './types.ts'

const url = 'https://a.test/'
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const page = Buffer.from(
  '<title>Café</title><div id="app"></div><script src="/app.js"></script><a href="/b">b</a>',
  'latin1',
)

function bench(options: EngineOptions = {}) {
  let loads = 0
  const engine = createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    ...options,
    fetcher: () => ({
      exchange: async ({ url: { pathname } }) => {
        loads += 1
        const isPng = pathname.endsWith('.png')
        const type = isPng ? 'image/png' : 'text/html; charset=latin1'
        const body = isPng ? png : page
        return {
          status: pathname === '/robots.txt' ? 404 : 200,
          headers: [['content-type', type]],
          body,
        }
      },
      close: async () => undefined,
    }),
  })
  return { engine, loads: () => loads }
}

test.each([
  ['an HTML page, in its encoding', url, page],
  ['a file that no parser reads', `${url}a.png`, png],
])('The bytes of %s are returned, for the price of a page', async (_, address, bytes) => {
  const { engine } = bench()
  await using _engine = engine
  const { rawBase64, metadata, ...rest } = await engine.scrape({ url: address, formats: ['rawBase64'] })
  expect(Buffer.from(rawBase64, 'base64').equals(bytes)).toBe(true)
  expect([metadata.creditsUsed, rest]).toEqual([1, {}])
})

test('No browser is used, and options of rendered pages have no effect, which a warning says', async () => {
  const { engine } = bench({ browser: fakeBrowser({ pages: {} }) })
  await using _ = engine
  const actions = [{ type: 'click', selector: 'a' }] as const
  const document = await engine.scrape({ url, formats: ['rawBase64'], actions, waitFor: 100, mobile: true })
  expect(document.rawBase64).toBe(page.toString('base64'))
  expect(document.warning).toBe(
    ['actions', 'waitFor', 'mobile']
      .map((name) => `The option ${name} has no effect on the body of a response.`)
      .join(' '),
  )
})

test('The page is neither taken from the cache nor cached', async () => {
  const { engine, loads } = bench()
  await using _ = engine
  const raw = { url, formats: ['rawBase64'] as const, maxAge: 60_000 }
  await engine.scrape(raw)
  await engine.scrape({ url, maxAge: 60_000, formats: ['links'] })
  expect((await engine.scrape(raw)).metadata.cacheState).toBeUndefined()
  expect(loads()).toBe(3)
  await expect(engine.scrape({ ...raw, minAge: 0 })).rejects.toMatchObject({ code: 'not_cached' })
  expect(loads()).toBe(3)
})

test('It is requested alone, and neither for files nor for the pages of a search', async () => {
  const { engine } = bench({ search: scriptedSearch({ web: [] }) })
  await using _ = engine
  const refused = (message: RegExp) => ({ code: 'invalid_request', message: expect.stringMatching(message) as unknown })
  await expect(engine.scrape({ url, formats: ['rawBase64', 'links'] })).rejects.toMatchObject(
    refused(/rawBase64 cannot be combined with other formats/),
  )
  await expect(engine.parse(page, { formats: ['rawBase64'] as never })).rejects.toMatchObject(refused(/formats\[0\]/))
  const scrapeOptions = { formats: ['rawBase64'] }
  await expect(engine.search({ query: 'x', scrapeOptions } as never)).rejects.toMatchObject(refused(/formats\[0\]/))
})

test('A crawl returns the bytes of each page and still follows its links', async () => {
  const { engine } = bench()
  await using _ = engine
  const crawl = await engine.crawl({ url, limit: 2, sitemap: 'skip', scrapeOptions: { formats: ['rawBase64'] } })
  const found: Record<string, unknown> = {}
  for await (const { metadata, rawBase64 } of crawl.documents()) found[metadata.url] = rawBase64
  expect(found).toEqual({ [url]: page.toString('base64'), [`${url}b`]: page.toString('base64') })
})
