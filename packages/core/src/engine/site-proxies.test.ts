// robots.txt and sitemaps use the proxies of the pages that need them.
import { fakeWeb } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Fetcher, ProxyRequest } from '@harvestman/ports'
import { createEngine } from './engine.ts'

const site = 'https://a.example'
const words = 'Some words of a page, more than a few of them, so that it is no empty shell. '.repeat(3)

/** An engine with a proxy, the proxies that were requested, and the paths that were requested without one. */
function bench(options: { readonly robots?: 'always' } = {}) {
  const web = fakeWeb({
    [`${site}/robots.txt`]: `User-agent: *\nAllow: /\nSitemap: ${site}/sitemap.xml`,
    [`${site}/sitemap.xml`]: `<urlset><url><loc>${site}/b</loc></url></urlset>`,
    [`${site}/`]: `<title>A</title><p>${words}</p>`,
    [`${site}/b`]: `<title>B</title><p>${words}</p>`,
  })
  const picked: ProxyRequest[] = []
  const outcomes: string[] = []
  const direct: string[] = []
  const fetcher = (): Fetcher => ({
    ...web.fetcher,
    exchange: (request, signal) => {
      if (request.proxy?.url !== 'http://proxy.test:1') direct.push(request.url.pathname)
      return web.fetcher.exchange(request, signal)
    },
  })
  const proxies = {
    pick: async (request: ProxyRequest) => {
      picked.push(request)
      return { url: 'http://proxy.test:1', report: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) }
    },
  }
  return { engine: createEngine({ fetcher, proxies, ...options }), picked, outcomes, direct, requested: web.requested }
}

const scrapeOptions = { location: { country: 'DE' } }

test('a crawl reads robots.txt and sitemaps through the proxy of its pages, and reports how that went', async () => {
  const { engine, picked, outcomes, direct, requested } = bench()
  await using _ = engine
  const job = await engine.crawl({ url: `${site}/`, limit: 2, scrapeOptions })
  for await (const { metadata } of job.documents()) expect(metadata.statusCode).toBe(200)
  expect(requested).toEqual(expect.arrayContaining([`${site}/robots.txt`, `${site}/sitemap.xml`, `${site}/b`]))
  expect(direct).toEqual([])
  for (const one of picked) expect(one).toEqual({ tier: 'basic', country: 'DE', session: job.id, host: 'a.example' })
  expect(outcomes).toHaveLength(picked.length)
})

test('a map and a scrape that follows robots.txt do, too', async () => {
  for (const work of ['map', 'scrape'] as const) {
    const { engine, picked, direct, requested } = bench({ robots: 'always' })
    await using _ = engine
    await engine[work]({ url: `${site}/`, ...(work === 'scrape' ? scrapeOptions : { location: { country: 'DE' } }) })
    expect(requested).toContain(`${site}/robots.txt`)
    expect(direct).toEqual([])
    expect(new Set(picked.map(({ country }) => country))).toEqual(new Set(['DE']))
  }
})
