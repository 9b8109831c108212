// Crawls that follow their pages, from one time to the next.
import { expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { ChangeTracking } from '../formats/change-tracking.ts'
import type { Fetcher } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { defineKeeper, definePlugin } from '../plugin/define.ts'
import type { Plugin } from '../plugin/parts.ts'

const home = 'https://a.test/'

/** A site: what its pages say, by path, with links in them; `sitemap` has what its sitemap lists. */
function bench(plugins: readonly Plugin[] = []) {
  let site: Readonly<Record<string, string>> = {}
  const store = memoryStore()
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }) => {
      const { pathname } = new URL(url)
      const body = site[pathname]
      const type = pathname.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8'
      return {
        status: body === undefined ? 404 : 200,
        headers: [['content-type', type]],
        body: new TextEncoder().encode(body ?? 'Not found'),
      }
    },
    close: async () => undefined,
  })
  const open = () => createEngine({ fetcher, store, plugins })
  const crawl = async (pages: Readonly<Record<string, string>>, request: object = {}, team = 'a') => {
    site = pages
    await using engine = open()
    const formats = ['markdown', 'changeTracking']
    const job = await engine.unchecked.crawl({ url: home, scrapeOptions: { formats }, ...request }, { team })
    const found: Record<string, string> = {}
    for await (const document of job.documents()) {
      const { changeStatus, visibility } = (document['changeTracking'] ?? {}) as Partial<ChangeTracking>
      found[new URL(document.metadata.sourceURL).pathname] = `${changeStatus} ${visibility}`
    }
    expect((await job.end()).status).toBe('completed')
    return found
  }
  return { crawl }
}

const link = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
const page = (...paths: string[]) => `<main><p>A page of words.</p>${link(...paths)}</main>`
const whole = { '/': page('/a', '/b'), '/a': page(), '/b': page('/c'), '/c': page() }

test('a page that nothing leads to any more is looked at again, and is hidden', async () => {
  const { crawl } = bench()
  expect(await crawl(whole)).toEqual({
    '/': 'new visible',
    '/a': 'new visible',
    '/b': 'new visible',
    '/c': 'new visible',
  })
  const cut = { ...whole, '/b': page(), '/': page('/b'), '/c': page('/d'), '/d': page() }
  expect(await crawl(cut)).toEqual({
    '/': 'changed visible',
    '/b': 'changed visible',
    '/a': 'same hidden',
    '/c': 'changed hidden',
  })
})

test('one that is gone is told of once, and is new and visible when it is there again', async () => {
  const { crawl } = bench()
  await crawl(whole)
  const { '/c': _, ...rest } = { ...whole, '/b': page() }
  expect((await crawl(rest))['/c']).toBe('removed hidden')
  expect(await crawl(rest)).not.toHaveProperty('/c')
  expect((await crawl(whole))['/c']).toBe('new visible')
})

test('one that a sitemap lists is visible', async () => {
  const { crawl } = bench()
  const listed = { ...whole, '/sitemap.xml': `<urlset><url><loc>${home}c</loc></url></urlset>` }
  await crawl(listed)
  const found = await crawl({ ...listed, '/b': page() })
  expect(found['/c']).toBe('same visible')
})

test('only pages that the crawl may visit are looked at again', async () => {
  const { crawl } = bench()
  await crawl(whole)
  const cut = { ...whole, '/': page() }
  expect(Object.keys(await crawl(cut, { excludePaths: ['^/a'] })).toSorted()).toEqual(['/', '/b', '/c'])
  expect(Object.keys(await crawl(cut, { limit: 2 }))).toHaveLength(2)
  expect(Object.keys(await crawl(whole, { limit: 2 }))).toHaveLength(2)
})

test('teams, tags, and crawls that follow nothing or keep nothing, know of none', async () => {
  const { crawl } = bench()
  await crawl(whole)
  const cut = { '/': page(), '/a': page() }
  const tagged = { scrapeOptions: { formats: ['markdown', { type: 'changeTracking', tag: 'daily' }] } }
  expect(Object.keys(await crawl(cut, {}, 'b'))).toEqual(['/'])
  expect(Object.keys(await crawl(cut, tagged))).toEqual(['/'])
  expect(Object.keys(await crawl(cut, { scrapeOptions: { formats: ['markdown'] } }))).toEqual(['/'])
  const private_ = { scrapeOptions: { formats: ['markdown', 'changeTracking'], zeroDataRetention: true } }
  expect(Object.keys(await crawl(cut, private_))).toEqual(['/'])
  expect(Object.keys(await crawl(cut)).toSorted()).toEqual(['/', '/a', '/b', '/c'])
})

test('crawls without a tag do not share their pages with a plugin that records pages under a tag of its own', async () => {
  const keeper = defineKeeper({ name: 'visits', notes: 'visits', needs: {}, keep: async () => undefined })
  const { crawl } = bench([definePlugin({ name: 'visits', keepers: [keeper] })])
  await crawl({ '/': page('/a'), '/a': page() }, { scrapeOptions: { formats: ['markdown'] } })
  const tracked = await crawl({ '/': page(), '/a': page() })
  expect(Object.keys(tracked)).toEqual(['/'])
})
