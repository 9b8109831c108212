// How an engine shows itself to the hosts it visits.
import { expect, test } from 'vitest'

import type { EngineOptions } from './types.ts'
import { createEngine } from './engine.ts'
import type { BrowserProfile, MakeBrowser, Tab, WireRequest } from '@harvestman/ports'

const page = '<title>Page</title><main><p>Some text that is long enough to stay.</p><a href="/b">b</a></main>'
const userAgent = 'Gatherer/1.0 (+https://gatherer.example)'
const robots = 'User-agent: Gatherer\nDisallow: /shut\nUser-agent: *\nDisallow: /'

function bench(options: EngineOptions = {}, answers: Readonly<Record<string, string>> = {}) {
  const asked: WireRequest[] = []
  const engine = createEngine({
    ...options,
    fetcher: () => ({
      exchange: async (request) => {
        asked.push(request)
        const { pathname } = request.url
        const [status, body] = pathname.endsWith('.xml') ? [404, ''] : [200, answers[pathname] ?? page]
        const to = body.startsWith('/') ? [['location', body] as const] : []
        const bytes = new TextEncoder().encode(body)
        const type = pathname === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8'
        const headers = [['content-type', type] as const, ...to]
        const head = { status: to.length > 0 ? 302 : status, headers }
        const take = to.length > 0 ? undefined : request.take?.(head)
        await take?.(bytes)
        return { ...head, body: take ? new Uint8Array() : bytes }
      },
      close: async () => undefined,
    }),
  })
  const paths = (): readonly string[] => asked.map(({ url }) => url.pathname)
  return { engine, asked, paths }
}

const at = (path: string): string => `https://a.example${path}`

test('its name and headers go to the host of every page, robots.txt and sitemap, without the hints of a browser', async () => {
  const { engine, asked } = bench({ userAgent, headers: { 'X-From': 'us' } }, { '/robots.txt': 'User-agent: *' })
  const crawl = await engine.crawl({ url: at('/'), limit: 2 })
  await crawl.end()
  expect(asked.length).toBeGreaterThanOrEqual(4)
  for (const { headers } of asked) {
    expect(headers).toMatchObject({ 'user-agent': userAgent, 'x-from': 'us' })
    expect(Object.keys(headers).filter((name) => name.startsWith('sec-ch-ua'))).toEqual([])
  }
})

test('headers of a request go before those of the engine', async () => {
  const { engine, asked } = bench({ userAgent, headers: { 'x-from': 'us' } })
  await engine.scrape({ url: at('/'), headers: { 'User-Agent': 'Other/2', 'x-more': '1' } })
  expect(asked[0]?.headers).toMatchObject({ 'user-agent': 'Other/2', 'x-from': 'us', 'x-more': '1' })
})

test('they leave kept copies in use, which headers of a request do not', async () => {
  const { engine, asked } = bench({ userAgent, headers: { 'x-from': 'us' } })
  const states = []
  for (const headers of [{}, {}, { 'x-more': '1' }]) {
    const { metadata } = await engine.scrape({ url: at('/'), maxAge: 60_000, headers })
    states.push(metadata.cacheState)
  }
  expect(states).toEqual(['miss', 'hit', undefined])
  expect(asked).toHaveLength(2)
})

test('the browser is told them as well, and pages of one job still share what it keeps', async () => {
  const profiles: BrowserProfile[] = []
  const tab = {
    goto: async (url: URL) => ({ url: url.href, status: 200, headers: [] }),
    url: async () => at('/'),
    html: async () => page,
    close: async () => undefined,
  }
  const browser: MakeBrowser = () => ({
    open: async (profile) => {
      profiles.push(profile)
      return tab as unknown as Tab
    },
    close: async () => undefined,
  })
  const { engine } = bench({ userAgent, browser })
  const batch = await engine.batch({ urls: [at('/')], waitFor: 1 })
  await batch.end()
  expect(profiles[0]).toMatchObject({ headers: { 'user-agent': userAgent }, group: expect.any(String) })
})

test('the name of the engine is the one that is looked for in robots.txt', async () => {
  for (const name of [userAgent, 'Mozilla/5.0 (compatible; Gatherer/1.0; +https://gatherer.example)']) {
    const { engine } = bench({ userAgent: name }, { '/robots.txt': robots })
    const crawl = await engine.crawl({ url: at('/'), limit: 2, sitemap: 'skip' })
    await crawl.end()
    expect((await crawl.status()).completed).toBe(2)
  }
})

test('where every page is asked for first, a scrape of one that is not allowed loads nothing of it', async () => {
  const answers = { '/robots.txt': robots, '/leads': '/shut/x' }
  const { engine, paths } = bench({ userAgent, robots: 'always' }, answers)
  await expect(engine.scrape({ url: at('/shut/x') })).rejects.toMatchObject({ code: 'robots_denied' })
  expect(paths()).toEqual(['/robots.txt'])
  await engine.scrape({ url: at('/fine') })
  // Where it was led may not be shown either, and is neither asked for nor kept.
  await expect(engine.scrape({ url: at('/leads'), maxAge: 60_000 })).rejects.toMatchObject({ code: 'robots_denied' })
  await expect(engine.scrape({ url: at('/leads'), maxAge: 60_000 })).rejects.toMatchObject({ code: 'robots_denied' })
  expect(paths()).toEqual(['/robots.txt', '/fine', '/leads', '/leads'])
  await expect(engine.crawl({ url: at('/'), ignoreRobotsTxt: true })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('where none is asked for, a crawl visits what robots.txt keeps it from', async () => {
  const { engine } = bench({ robots: 'never' }, { '/robots.txt': robots })
  const crawl = await engine.crawl({ url: at('/'), limit: 1, sitemap: 'skip' })
  await crawl.end()
  expect((await crawl.status()).completed).toBe(1)
})

test('what is no name and no header is said when the engine is made', () => {
  expect(() => createEngine({ userAgent: 'a\nb: c' })).toThrow(/userAgent/)
  expect(() => createEngine({ headers: { host: 'b.example' } })).toThrow(/headers/)
  expect(() => createEngine({ robots: 'sometimes' as never })).toThrow(/robots.*crawls, always, never/)
})
