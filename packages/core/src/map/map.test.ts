import { afterEach, describe, expect, test } from 'vitest'

import { fakeBrowser, fakeWeb, type FakeAnswer } from '@harvestman/testing'

import type { EngineOptions } from '../engine/types.ts'
import { EngineError, type EngineEvent } from '@harvestman/ports'
import { discoveryBounds } from './discover.ts'
import { openMapBench, type MapBench } from './fixtures/open-bench.ts'

const host = 'https://a.example'
const open: MapBench[] = []
afterEach(() => Promise.all(open.splice(0).map((bench) => bench.close())))

const page = (title: string, ...paths: string[]): string =>
  `<html><head><title>${title}</title><meta name="description" content="All of ${title}"></head><body><p>Some words of a page, more than a few of them.</p>${paths.map((path) => `<a href="${path}">To ${path}</a>`).join(' ')}</body></html>`
const set = (...urls: string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${URL.parse(url, host)!.href.replaceAll('&', '&amp;')}</loc></url>`).join('')}</urlset>`

async function bench(files: Readonly<Record<string, FakeAnswer>>, options: EngineOptions = {}) {
  const web = fakeWeb(
    Object.fromEntries(Object.entries(files).map(([path, answer]) => [new URL(path, host).href, answer])),
  )
  const events: EngineEvent[] = []
  const { fetcher } = web
  const made = await openMapBench({ fetcher: () => fetcher, observer: (event) => void events.push(event), ...options })
  open.push(made)
  const asked = (): string[] =>
    web.requested.filter((url) => url.startsWith('http')).map((url) => url.replace(host, ''))
  const paths = async (more: object = {}, signal?: AbortSignal): Promise<string[]> =>
    (await made.map({ url: host, ...more }, signal)).links.map(({ url }) => url.replace(host, ''))
  return { ...made, asked, events, paths }
}

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `/p/${at}`)

test('a map joins the first page, its links and the sitemap, with what is known of each', async () => {
  const { map } = await bench({
    '/': page('Home', '/a', '/b#part'),
    '/sitemap.xml': set('/b', '/c'),
    '/a': page('A'),
  })
  const { links, creditsUsed, warning } = await map({ url: host })
  expect(links).toEqual([
    { url: `${host}/`, title: 'Home', description: 'All of Home' },
    { url: `${host}/a`, title: 'To /a', description: 'All of A' },
    { url: `${host}/b`, title: 'To /b#part' },
    { url: `${host}/c` },
  ])
  expect([creditsUsed, warning]).toEqual([1, undefined])
})

test('the end of a map is told, with its price or why it failed', async () => {
  const { map, events } = await bench({ '/': page('Home', '/a') })
  await map({ url: host })
  await map({ url: host }, AbortSignal.abort()).catch(() => undefined)
  const told = events.filter(({ kind }) => kind.startsWith('map.'))
  expect(told).toMatchObject([
    { kind: 'map.completed', links: 2, credits: 1, ms: expect.any(Number) },
    { kind: 'map.failed', code: 'aborted', ms: expect.any(Number) },
  ])
})

describe('the option', () => {
  test('sitemap leaves one of the two ways out', async () => {
    const { paths, asked } = await bench({ '/': page('Home', '/a'), '/sitemap.xml': set('/b') })
    expect(await paths({ sitemap: 'skip' })).toEqual(['/', '/a'])
    expect(asked()).not.toContain('/sitemap.xml')
    expect(await paths({ sitemap: 'only' })).toEqual(['/b'])
  })

  test('limit cuts the map, and is enough of a reason to read no further', async () => {
    const { paths, asked } = await bench({ '/': page('Home', ...many(20)), '/sitemap.xml': set(...many(900)) })
    expect(await paths({ limit: 5 })).toEqual(['/', ...many(4)])
    expect(asked().filter((path) => path.startsWith('/p/'))).toEqual([])
    expect(await paths({ limit: 100_000 })).toHaveLength(901)
  })

  test('includeSubdomains decides over other hosts of the domain; others are never taken', async () => {
    const links = [
      'https://b.a.example/x',
      'https://www.a.example/y',
      'https://a.example.evil.com/',
      'https://evila.example/',
      'https://co.example/',
    ]
    const { paths } = await bench({ '/': page('Home', ...links) })
    expect(await paths()).toEqual(['/', 'https://b.a.example/x', 'https://www.a.example/y'])
    expect(await paths({ includeSubdomains: false })).toEqual(['/', 'https://www.a.example/y'])
  })

  test('ignoreQueryParameters cuts the query, and what is then the same is one link', async () => {
    const { paths } = await bench({ '/': page('Home', '/l?page=1', '/l?page=2', '/l') })
    expect(await paths()).toEqual(['/', '/l'])
    expect(await paths({ ignoreQueryParameters: false })).toEqual(['/', '/l?page=1', '/l?page=2', '/l'])
  })

  test('filterByPath keeps a map of a part within it, unless told otherwise', async () => {
    const files = { '/docs/': page('Docs', '/docs/a', '/blog/b'), '/sitemap.xml': set('/docs/c', '/docs-old') }
    const { paths } = await bench(files)
    expect(await paths({ url: `${host}/docs/` })).toEqual(['/docs', '/docs/a', '/docs/c'])
    expect(await paths({ url: `${host}/docs/`, filterByPath: false })).toEqual([
      '/docs',
      '/docs/a',
      '/blog/b',
      '/docs/c',
      '/docs-old',
    ])
  })

  test('search puts what fits first, also when it is the last of many', async () => {
    const { paths } = await bench({ '/': page('Home'), '/sitemap.xml': set(...many(3_000), '/garden-chairs') })
    expect((await paths({ search: 'garden chair', limit: 2 }))[0]).toBe('/garden-chairs')
  })

  test('headers go to the host of the map only', async () => {
    const headers: Record<string, string | undefined> = {}
    const web = fakeWeb({
      [`${host}/`]: page('Home'),
      [`${host}/robots.txt`]: 'Sitemap: https://cdn.example/s.xml',
      'https://cdn.example/s.xml': set('/x'),
    })
    const { map } = await bench(
      {},
      {
        fetcher: () => ({
          ...web.fetcher,
          exchange: (request, signal) => {
            headers[request.url.href] = request.headers['x-mine']
            return web.fetcher.exchange(request, signal)
          },
        }),
      },
    )
    await map({ url: host, headers: { 'X-Mine': 'secret' } })
    expect(headers).toMatchObject({ [`${host}/`]: 'secret', [`${host}/sitemap.xml`]: 'secret' })
    expect(headers['https://cdn.example/s.xml']).toBeUndefined()
  })

  test('timeout ends the map with a typed error, and a cancelled map says so', async () => {
    const never: EngineOptions = {
      fetcher: () => ({
        exchange: (_request, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        close: async () => undefined,
      }),
    }
    const { map } = await bench({}, never)
    await expect(map({ url: host, timeout: 20 })).rejects.toMatchObject({
      code: 'map_timeout',
      message: expect.stringContaining('The map operation timed out after 20 ms'),
    })
    await expect(map({ url: host }, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' })
  })
})

test('of the spellings of one page the safe one is shown, and the one without www', async () => {
  const { paths } = await bench({
    '/': page(
      'Home',
      'http://www.a.example/x',
      'http://a.example/x/',
      'https://www.a.example/x',
      'https://a.example/x/',
    ),
  })
  expect(await paths()).toEqual(['/', '/x'])
})

test('a site that has moved to another domain is mapped there', async () => {
  const { paths } = await bench({
    '/': { status: 301, location: 'https://b.example/' },
    'https://b.example/': page('New', '/a', 'https://a.example/old'),
  })
  expect(await paths()).toEqual(['https://b.example/', 'https://b.example/a'])
})

describe('deeper discovery', () => {
  test('goes on while the map says little, nearest first, and within its bounds', async () => {
    const chain = Object.fromEntries(many(10).map((path, at) => [path, page(`Page ${at}`, `/p/${at + 1}`)]))
    const { paths } = await bench({ '/': page('Home', '/p/0'), ...chain })
    expect(await paths()).toEqual(['/', ...many(discoveryBounds.depth + 1)])
  })

  test('loads no more pages than it may', async () => {
    const wide = Object.fromEntries(many(60).map((path, at) => [path, page(`Page ${at}`, '/')]))
    const { paths, asked } = await bench({ '/': page('Home', ...many(60)), ...wide })
    await paths()
    expect(asked().filter((path) => path.startsWith('/p/'))).toHaveLength(discoveryBounds.pages)
  })

  test('is not needed where there is enough', async () => {
    const { paths, asked } = await bench({ '/': page('Home', ...many(150)) })
    await paths()
    expect(asked().filter((path) => path.startsWith('/p/'))).toEqual([])
  })

  test('does not load what robots.txt forbids, and names it all the same', async () => {
    const { paths, asked } = await bench({
      '/': page('Home', '/a', '/b'),
      '/robots.txt': 'User-agent: *\nDisallow: /a',
      '/a': page('A', '/no'),
      '/b': page('B', '/c'),
    })
    expect(await paths()).toEqual(['/', '/a', '/b', '/c'])
    expect(asked()).not.toContain('/a')
  })
})

test('a page that is drawn by its scripts is drawn', async () => {
  const shell = '<html><head><script src="/app.js"></script></head><body><div id="root"></div></body></html>'
  const browser = fakeBrowser({ pages: { [`${host}/`]: { html: page('Drawn', '/a', '/b') } } })
  const { map } = await bench(
    { '/': shell },
    { browser, resolver: async () => [{ address: '93.184.216.34', family: 4 }] },
  )
  const { links } = await map({ url: host })
  expect(links.map(({ url, title }) => [url, title])).toEqual([
    [`${host}/`, 'Drawn'],
    [`${host}/a`, 'To /a'],
    [`${host}/b`, 'To /b'],
  ])
})

describe('what goes wrong', () => {
  test('a first page that is not there is not in the map, and what it leads to is', async () => {
    const { paths } = await bench({ '/': { status: 404, body: page('Gone', '/a') }, '/a': page('A') })
    expect(await paths()).toEqual(['/a'])
  })

  test('with the first page does not matter while there is a sitemap, and is said', async () => {
    const { map } = await bench({
      '/': new EngineError('connection_failed', 'It broke.'),
      '/sitemap.xml': set('/a'),
    })
    const { links, warning } = await map({ url: host })
    expect(links).toEqual([{ url: `${host}/a` }])
    expect(warning).toContain('It broke.')
  })

  test('with everything is the failure of the map', async () => {
    const { map } = await bench({ '/': new EngineError('dns_failed', 'No such host.') })
    await expect(map({ url: host })).rejects.toMatchObject({ code: 'dns_failed' })
  })

  test('for the guard is never a map', async () => {
    const { map } = await bench({})
    await expect(map({ url: 'http://127.0.0.1/' })).rejects.toMatchObject({ code: 'url_blocked' })
  })

  test('a part of a site with one page or none is told of', async () => {
    const { map } = await bench({ '/docs': page('Docs', '/blog') })
    expect((await map({ url: `${host}/docs` })).warning).toMatch(
      /^Only 1 result\(s\) found below this address\. Map the base domain a\.example,/,
    )
  })

  test('of a sitemap that has more URLs than one file may have is said', async () => {
    const paths = Array.from({ length: 50_001 }, (_, index) => `/p/${index}`)
    const { map } = await bench({ '/': page('Home'), '/sitemap.xml': set(...paths) })
    const { links, warning } = await map({ url: host, limit: 100_000 })
    expect(links).toHaveLength(50_001)
    expect(warning).toContain('/sitemap.xml lists more than 50000 URLs')
  })

  test('an option without effect is told of', async () => {
    const { map } = await bench({ '/': page('Home') })
    expect((await map({ url: host, includePaths: ['/x'] })).warning).toContain('includePaths')
  })
})

test('the same site gives the same map', async () => {
  const wide = Object.fromEntries(many(30).map((path, at) => [path, page(`Page ${at}`, `/q/${at}`, `/q/${at + 1}`)]))
  const files = { '/': page('Home', ...many(30)), ...wide }
  const [one, other] = [await bench(files), await bench(files)]
  expect(await one.paths()).toEqual(await other.paths())
})
