import { gzipSync } from 'node:zlib'

import { type FakeAnswer, type FakeWebOptions, fakeWeb, handClock, memoryStore } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { makeRobots } from './robots-file.ts'
import { readSitemaps, type SitemapBounds, type SitemapRequest } from './sitemaps.ts'

const host = 'https://a.example'

const set = (...paths: string[]): string =>
  `<urlset>${paths.map((path) => `<url><loc>${URL.parse(path, host)!.href}</loc></url>`).join('')}</urlset>`
const index = (...files: string[]): string =>
  `<sitemapindex>${files.map((file) => `<sitemap><loc>${URL.parse(file, host)?.href ?? file}</loc></sitemap>`).join('')}</sitemapindex>`
const many = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `/p/${from + at}`)

function bench(files: Readonly<Record<string, FakeAnswer>>, options?: FakeWebOptions) {
  const clock = handClock()
  const answers = Object.entries(files).map(([path, answer]) => [new URL(path, host).href, answer])
  const web = fakeWeb(Object.fromEntries(answers), options)
  const store = memoryStore({ clock })
  const robots = makeRobots({ ...web, store })
  const told: string[] = []
  const request = (more: Partial<SitemapRequest> = {}): SitemapRequest => ({
    start: new URL(host),
    ignoreCache: false,
    signal: new AbortController().signal,
    tell: (message) => void told.push(message),
    ...more,
  })
  const read = async (more?: Partial<SitemapRequest>, kept = store): Promise<string[]> => {
    const paths: string[] = []
    for await (const pages of readSitemaps(request(more), { ...web, store: kept, robots }))
      for (const { url } of pages) paths.push(url.replace(host, ''))
    return paths
  }
  return { clock, web, told, read, request, kit: { ...web, store, robots } }
}

describe('the pages of a site are read from', () => {
  test.each<[string, Record<string, FakeAnswer>, start?: string]>([
    ['its usual sitemap', { '/sitemap.xml': set('/x') }],
    ['what robots.txt declares', { '/robots.txt': 'Sitemap: /deep/s.xml', '/deep/s.xml': set('/x') }],
    [
      'one on another host that robots.txt declares',
      {
        '/robots.txt': 'Sitemap: https://cdn.example/s.xml',
        'https://cdn.example/s.xml': set('/x'),
      },
    ],
    ['the folder of the start', { '/shop/sitemap.xml': set('/x') }, '/shop/'],
    ['the registrable domain', { '/sitemap.xml': set('/x') }, 'https://shop.a.example/'],
    ['the start itself', { '/my.xml': set('/x') }, '/my.xml'],
    ['an index', { '/sitemap.xml': index('/1.xml'), '/1.xml': set('/x') }],
    [
      'an index that redirects',
      { '/sitemap.xml': { status: 301, location: '/i.xml' }, '/i.xml': index('/1.xml'), '/1.xml': set('/x') },
    ],
    ['a packed file', { '/sitemap.xml': index('/1.xml.gz'), '/1.xml.gz': gzipSync(set('/x')) }],
    ['a packed file that is not called so', { '/sitemap.xml': gzipSync(set('/x')) }],
    ['a place that was not announced', { '/wp-sitemap.xml': set('/x') }],
    ['a list of addresses', { '/sitemap.txt': `${host}/x\n` }],
  ])('%s', async (_name, files, start = '/') => {
    for (const piece of [50, 0])
      expect(await bench(files, { piece }).read({ start: new URL(start, host) })).toEqual(['/x'])
  })
})

test('a large packed sitemap comes whole and in its order', async () => {
  const paths = many(20_000)
  const { read } = bench({ '/sitemap.xml': gzipSync(set(...paths)) }, { piece: 5_000 })
  expect(await read()).toEqual(paths)
})

test('files are read at once, and their pages come in the order of the files', async () => {
  const files = many(9).map((path) => `${path}.xml`)
  const answers = Object.fromEntries(files.map((file, at) => [file, set(...many(3, at * 3))]))
  const { read } = bench({ '/sitemap.xml': index(...files), ...answers }, { piece: 30 })
  expect(await read()).toEqual(many(27))
})

test('each file is read once, and an index of an index ends at the third level', async () => {
  const { read, web } = bench({
    '/sitemap.xml': index('/1.xml', '/1.xml', '/sitemap.xml'),
    '/1.xml': index('/2.xml', '/sitemap.xml'),
    '/2.xml': index('/3.xml'),
    '/3.xml': index('/4.xml').replace('</sitemapindex>', `${set('/x')}</sitemapindex>`),
    '/4.xml': set('/too-deep'),
  })
  await read()
  const files = web.requested.map((url) => url.replace(host, '')).filter((path) => /^\/(?:\d|sitemap)\.xml$/.test(path))
  expect(files).toEqual(['/sitemap.xml', '/1.xml', '/2.xml', '/3.xml'])
})

test('what is no page of this site is left out, wherever it points', async () => {
  const file = `<urlset>${[
    'file:///etc/passwd',
    'https://a.example.evil.com/',
    'https://evila.example/',
    'javascript:1',
    'http://10.0.0.1/',
    'https://blog.a.example/b',
    'not an address',
    `${host}/x#y`,
  ]
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`
  expect(await bench({ '/sitemap.xml': file }).read()).toEqual(['https://blog.a.example/b', '/x'])
})

test('an index cannot lead to a forbidden address', async () => {
  const files = ['file:///etc/passwd', 'http://10.0.0.1/s.xml', '/r.xml', '/1.xml']
  const { read, told, web } = bench(
    {
      '/sitemap.xml': index(...files),
      '/r.xml': { status: 302, location: 'http://10.0.0.1/x.xml' },
      'http://10.0.0.1/s.xml': set('/no'),
      'http://10.0.0.1/x.xml': set('/no'),
      '/1.xml': set('/x'),
    },
    { refuse: ['10.0.0.1'] },
  )
  expect(await read()).toEqual(['/x'])
  expect(told).toHaveLength(2)
  expect(web.requested.filter((url) => url.includes('10.0.0.1'))).toEqual([])
})

describe('a file that is broken', () => {
  test.each<[string, FakeAnswer, string[]]>([
    ['in the middle gives what comes before', set('/x', '/y').slice(0, 70), ['/x']],
    ['as a packed file gives what could be unpacked', gzipSync(set(...many(5_000))).subarray(0, 9_000), many(100)],
    ['by its host gives nothing', new EngineError('connection_failed', 'It broke.'), []],
    ['as a bomb gives nothing and costs nothing', gzipSync(Buffer.alloc(30_000_000, ' ')), []],
    ['as a web page gives nothing', '<!doctype html><a href="/x">x</a>', []],
  ])('%s', async (_name, file, first) => {
    const { read, web } = bench({ '/sitemap.xml': index('/1.xml', '/2.xml'), '/1.xml': file, '/2.xml': set('/last') })
    const pages = await read()
    expect(pages.slice(0, first.length)).toEqual(first)
    expect(pages.at(-1)).toBe('/last')
    expect(web.requested).toContain(`${host}/1.xml`)
  })
})

describe('what is kept', () => {
  test('serves for a week, and is passed over on demand', async () => {
    const { read, web, clock } = bench(
      { '/sitemap.xml': index('/1.xml'), '/1.xml': set(...many(25_000)) },
      { piece: 0 },
    )
    const first = await read()
    const asked = (): number => web.requested.filter((url) => url.endsWith('/1.xml')).length
    expect(await read()).toEqual(first)
    expect(asked()).toBe(1)
    await read({ ignoreCache: true })
    expect(asked()).toBe(2)
    await clock.pass(7 * 24 * 3_600_000 - 1)
    expect(await read()).toEqual(first)
    expect(asked()).toBe(2)
    await clock.pass(1)
    await read()
    expect(asked()).toBe(3)
  })

  test('is neither what broke nor what a caller with headers of their own was shown', async () => {
    const { read, web } = bench({ '/sitemap.xml': 503 })
    await read()
    await read()
    expect(web.requested.filter((url) => url === `${host}/sitemap.xml`)).toHaveLength(2)
    const other = bench({ '/sitemap.xml': set('/x') })
    await other.read({ headers: { cookie: 'a=1' } })
    await other.read()
    expect(other.web.requested.filter((url) => url === `${host}/sitemap.xml`)).toHaveLength(2)
  })

  test('may be lost without a loss to the reader', async () => {
    const { kit, request, told } = bench({ '/sitemap.xml': set('/x') })
    const store = { ...kit.store, set: () => Promise.reject(new Error('full')) }
    const pages: string[] = []
    for await (const batch of readSitemaps(request(), { ...kit, store })) for (const { url } of batch) pages.push(url)
    expect(pages).toEqual([`${host}/x`])
    expect(told.join()).toContain('could not be stored')
  })
})

describe('the work is bounded', () => {
  const bounded = (bounds: Partial<SitemapBounds>) =>
    bench({
      '/sitemap.xml': index(...many(60)),
      ...Object.fromEntries(many(60).map((path) => [path, set(...many(10).map((page) => path + page))])),
    }).read({ bounds })

  test('by the number of files', async () => {
    expect(await bounded({})).toHaveLength(49 * 10)
    expect(await bounded({ files: 3 })).toHaveLength(20)
  })

  test('by the number of pages of each', async () => {
    expect(await bounded({ entries: 1 })).toHaveLength(1 * 1)
    expect(await bench({ '/sitemap.xml': set(...many(50_001)) }, { piece: 0 }).read()).toHaveLength(50_000)
  })

  test('and what is left out is said: URLs of one file, and files', async () => {
    const lossesOf = async (files: Readonly<Record<string, FakeAnswer>>, bounds: Partial<SitemapBounds>) => {
      const losses: string[] = []
      await bench(files).read({ bounds, onLoss: (sentence) => void losses.push(sentence) })
      return losses.join(' ')
    }
    const three = { '/sitemap.xml': set(...many(3)) }
    expect(await lossesOf(three, { entries: 3 })).toBe('')
    expect(await lossesOf(three, { entries: 2 })).toMatch(/^The sitemap \S+ lists more than 2 URLs/)
    const files = { '/sitemap.xml': index('/1.xml', '/2.xml'), '/1.xml': set('/x'), '/2.xml': set('/y') }
    expect(await lossesOf(files, {})).toBe('')
    expect(await lossesOf(files, { files: 2 })).toContain('more than 2 files')
    const declared = { ...files, '/robots.txt': 'Sitemap: /1.xml\nSitemap: /2.xml' }
    expect(await lossesOf(declared, { files: 2 })).toBe('')
    expect(await lossesOf(declared, { files: 1 })).toContain('more than 1 files')
  })

  describe('a file that ends early is named, its URLs are used, and it is read again next time:', () => {
    const whole = set(...many(2_000))
    const feed = `{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"${host}/x"}`
    test.each<[string, FakeAnswer, least: number]>([
      ['a sitemap', whole.slice(0, whole.length / 2), 900],
      ['a sitemap without its last tag', whole.replace('</urlset>', ''), 2_000],
      ['an index', index('/1.xml', '/2.xml').slice(0, -20), 0],
      ['a feed', `<rss><channel><item><link>${host}/x</link></item>`, 1],
      ['a JSON feed', feed, 0],
      ['a gzip file', gzipSync(whole).subarray(0, 3_000), 100],
      [
        'a gzip file of lines',
        gzipSync(
          many(2_000)
            .map((path) => host + path)
            .join('\n'),
        ).subarray(0, 2_000),
        100,
      ],
    ])('%s', async (_, file, least) => {
      const losses: string[] = []
      const onLoss = (sentence: string) => void losses.push(sentence)
      const { read, web } = bench({ '/sitemap.xml': file })
      expect((await read({ onLoss })).length).toBeGreaterThanOrEqual(least)
      expect(losses).toEqual([expect.stringMatching(/^The sitemap \S+ could not be read to its end/)])
      await read({ onLoss })
      expect(web.requested.filter((url) => url.includes('/sitemap.xml')).length).toBeGreaterThan(1)
    })

    test.each<[string, FakeAnswer]>([
      ['a page of HTML', '<html><body><p>Not found'],
      ['a list of URLs without a line end', `${host}/x`],
      ['a gzip file', gzipSync(whole)],
    ])('and one that is whole is not: %s', async (_, file) => {
      const losses: string[] = []
      await bench({ '/sitemap.xml': file }).read({ onLoss: (sentence) => void losses.push(sentence) })
      expect(losses).toEqual([])
    })
  })

  test('by the consumer of the pages: one that leaves ends the reading', async () => {
    const { kit, request, web } = bench({
      '/sitemap.xml': index(...many(40)),
      ...Object.fromEntries(many(40).map((path) => [path, set(path)])),
    })
    for await (const pages of readSitemaps(request(), kit)) if (pages.length > 0) break
    await new Promise((resolve) => setImmediate(resolve))
    expect(web.requested.length).toBeLessThan(15)
  })

  test('by the signal', async () => {
    const caller = new AbortController()
    const { read } = bench({ '/sitemap.xml': set('/x') })
    caller.abort(new Error('enough'))
    await expect(read({ signal: caller.signal })).rejects.toThrow('enough')
  })
})
