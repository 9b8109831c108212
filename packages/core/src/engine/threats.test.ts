// The option threatProtection: what is blocked in each kind of request, before anything is sent there.
import { fakeBrowser, scriptedSearch } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine } from './engine.ts'
import type { EngineOptions } from './types.ts'

const url = 'https://a.test/'
const links = '<a href="/b">b</a><a href="https://evil.a.test/c">c</a><a href="https://other.test/d">d</a>'
const page = `<title>Page</title><main><p>Some text that is long enough to stay.</p>${links}</main>`
const blocked = (about: string) => ({
  code: 'unsafe_domain_blocked',
  message: expect.stringContaining(about) as unknown,
})
const threatProtection = { blacklist: ['evil.a.test', 'b.test'] }

/** Sites on every host. `/away` redirects by way of b.test to c.test. */
function bench(options: EngineOptions = {}) {
  const asked: string[] = []
  const targets: Readonly<Record<string, string>> = { '/away': 'https://b.test/hop', '/hop': 'https://c.test/end' }
  const engine = createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    ...options,
    fetcher: () => ({
      exchange: async ({ url: { href, pathname, hostname } }) => {
        asked.push(href)
        const body = new TextEncoder().encode(pathname === '/robots.txt' ? robots(hostname) : page)
        const location = targets[pathname]
        if (location !== undefined) return { status: 302, headers: [['location', location]], body }
        const type = pathname === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8'
        return { status: pathname.endsWith('.xml') ? 404 : 200, headers: [['content-type', type]], body }
      },
      close: async () => undefined,
    }),
  })
  return { engine, asked }
}

const robots = (host: string): string => `Sitemap: https://b.test/sitemap.xml\nSitemap: https://${host}/sitemap.xml`

describe('A scrape', () => {
  test('of a blocked host sends nothing', async () => {
    const { engine, asked } = bench()
    await using _ = engine
    await expect(engine.scrape({ url: 'https://x.b.test/a', threatProtection })).rejects.toMatchObject(
      blocked('https://x.b.test/a'),
    )
    expect(asked).toEqual([])
  })

  test('is checked at each redirect, also when the end of the redirects is allowed', async () => {
    const { engine, asked } = bench()
    await using _ = engine
    await expect(engine.scrape({ url: `${url}away`, threatProtection })).rejects.toMatchObject(
      blocked('https://b.test/hop'),
    )
    expect(asked).toEqual([`${url}away`])
  })

  test('does not use a cached page that was reached through a blocked host', async () => {
    const { engine } = bench()
    await using _ = engine
    await engine.scrape({ url: `${url}away`, maxAge: 60_000 })
    const again = { url: `${url}away`, maxAge: 60_000 }
    await expect(engine.scrape({ ...again, threatProtection })).rejects.toMatchObject(blocked('b.test'))
    expect((await engine.scrape(again)).metadata.cacheState).toBe('hit')
  })

  test('passes the check on to the browser, and tries no other loader after a refusal', async () => {
    const tried: string[] = []
    const { engine } = bench({
      browser: (guard) => ({
        ...fakeBrowser({ pages: {} })(guard),
        open: async ({ mayVisit }) => {
          tried.push('https://b.test/late')
          await mayVisit?.(new URL('https://b.test/late'))
          throw new Error('It was opened.')
        },
      }),
    })
    await using _ = engine
    await expect(engine.scrape({ url, waitFor: 1, threatProtection })).rejects.toMatchObject(blocked('b.test/late'))
    expect(tried).toEqual(['https://b.test/late'])
    await expect(engine.scrape({ url: `${url}away`, threatProtection })).rejects.toMatchObject(blocked('b.test/hop'))
    expect(tried).toHaveLength(1)
  })
})

test('A batch is refused for a blocked URL, or lists it among the invalid ones', async () => {
  const { engine, asked } = bench()
  await using _ = engine
  const urls = [url, 'https://b.test/x', 'no url']
  await expect(engine.batch({ urls: urls.slice(0, 2), threatProtection })).rejects.toMatchObject(blocked('b.test/x'))
  const { invalidURLs } = await engine.batch({ urls, threatProtection, ignoreInvalidURLs: true })
  expect(invalidURLs).toEqual(['https://b.test/x', 'no url'])
  expect(asked.filter((one) => one.includes('b.test'))).toEqual([])
})

describe('A crawl', () => {
  test('of a blocked start is refused', async () => {
    const { engine } = bench()
    await using _ = engine
    const request = { url: 'https://b.test/', scrapeOptions: { threatProtection } }
    await expect(engine.crawl(request)).rejects.toMatchObject(blocked('b.test'))
  })

  test('skips blocked links and sitemaps, and explains which', async () => {
    const { engine, asked } = bench()
    await using _ = engine
    const scope = { allowSubdomains: true, allowExternalLinks: true }
    const crawl = await engine.crawl({ url, ...scope, scrapeOptions: { threatProtection } })
    const pages: string[] = []
    for await (const { metadata } of crawl.documents()) pages.push(metadata.url)
    expect(pages.toSorted()).toEqual([url, `${url}b`, 'https://other.test/d'])
    const skipped: Record<string, unknown> = {}
    for await (const found of crawl.explain()) skipped[found.url] = found
    expect(JSON.stringify(skipped['https://evil.a.test/c'])).toContain('UNSAFE_DOMAIN')
    expect(asked.filter((one) => /evil\.a\.test|b\.test/.test(one))).toEqual([])
  })
})

test('A map of a blocked site is refused; others have no blocked links and read no blocked sitemaps', async () => {
  const { engine, asked } = bench()
  await using _ = engine
  await expect(engine.map({ url: 'https://b.test/', threatProtection })).rejects.toMatchObject(blocked('b.test'))
  const { links: found } = await engine.map({ url, threatProtection })
  expect(found.map((link) => link.url)).toEqual([url, `${url}b`])
  expect(asked.filter((one) => /evil\.a\.test|b\.test/.test(one))).toEqual([])
  expect((await engine.map({ url })).links.map((link) => link.url)).toContain('https://evil.a.test/c')
})

test('A search has no results of blocked hosts, and its pages follow the same rules', async () => {
  const hit = (address: string) => ({ url: address, title: 'T', description: 'D' })
  const web = [hit('https://b.test/1'), hit(`${url}away`), hit(`${url}2`)]
  const images = ['https://b.test/i.png', `${url}i.png`].map((imageUrl) => ({ ...hit(url), imageUrl }))
  const { engine, asked } = bench({ search: scriptedSearch({ web, images }) })
  await using _ = engine
  const request = { query: 'x', limit: 2, sources: ['web'], threatProtection } as const
  const found = await engine.search({ ...request, scrapeOptions: { formats: ['markdown'] } })
  expect(found.web?.map((one) => [one.url, 'markdown' in one])).toEqual([
    [`${url}away`, false],
    [`${url}2`, true],
  ])
  expect(found.warning).toContain('https://b.test/hop')
  expect(asked.filter((one) => one.includes('b.test'))).toEqual([])
  const pictures = await engine.search({ ...request, sources: ['images'] })
  expect(pictures.images?.map(({ imageUrl }) => imageUrl)).toEqual([`${url}i.png`])
})
