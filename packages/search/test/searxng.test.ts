import {
  engineErrorOf,
  queryFor,
  searchContract,
  startSearxngServer,
  type SearxngReply,
  type SearxngServer,
} from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { searxng, type SearxngOptions } from '../src/index.ts'

const open: SearxngServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function bench(reply: SearxngReply, options: Partial<SearxngOptions> = {}) {
  const server = await startSearxngServer(reply)
  open.push(server)
  return { server, search: searxng({ endpoint: server.url, timeout: reply === 'silence' ? 300 : 20_000, ...options }) }
}

const never = () => new AbortController().signal
const result = (at: number | string, more: object = {}) => ({
  url: `https://a.example/${at}`,
  title: `T${at}`,
  content: `C${at}`,
  ...more,
})

describe('searxng keeps the contract of the port', () => {
  for (const { name, run } of searchContract)
    test(name, () =>
      run(async ({ pages }) => {
        const results =
          pages === 'silence' ? [] : pages.map(({ url, title, description }) => ({ url, title, content: description }))
        return (await bench(pages === 'silence' ? 'silence' : { results }, { timeout: 5_000 })).search
      }),
    )
})

describe('what an instance is asked for', () => {
  const asked = async (query: Parameters<typeof queryFor>[0], options: Partial<SearxngOptions> = {}) => {
    const { server, search } = await bench({ results: [] }, options)
    await search.find(queryFor(query), never())
    return Object.fromEntries(server.searches[0]!)
  }

  test('is the words, as JSON, of the category of the source', async () => {
    expect(await asked({ words: 'a & b = "c"?' })).toEqual({
      q: 'a & b = "c"?',
      format: 'json',
      categories: 'general',
      language: 'en',
      pageno: '1',
    })
    expect(await asked({ source: 'news' })).toMatchObject({ categories: 'news' })
    expect(await asked({ source: 'images' })).toMatchObject({ categories: 'images' })
  })

  test('is what the operator chose of the instance', async () => {
    const options = { engines: ['duckduckgo', 'qwant'], categories: ['general', 'it'] }
    expect(await asked({}, options)).toMatchObject({ engines: 'duckduckgo,qwant', categories: 'general,it' })
  })

  test('is the place, the time and the domains', async () => {
    const place = {
      language: 'de',
      country: 'AT',
      time: { within: 'week' } as const,
      safe: true,
      excludeDomains: ['x.y'],
    }
    expect(await asked(place)).toMatchObject({
      language: 'de-AT',
      time_range: 'week',
      safesearch: '2',
      q: 'spider -site:x.y',
    })
    expect(await asked({ time: { within: 'hour' }, safe: false })).toMatchObject({ time_range: 'day', safesearch: '0' })
  })

  test('goes to the path of the instance, with the headers of the operator', async () => {
    const server = await startSearxngServer({ results: [] })
    open.push(server)
    for (const endpoint of [server.url, `${server.url}/searxng/`, `${server.url}/x/search?q=1#y`])
      await searxng({ endpoint }).find(queryFor(), never())
    expect(server.paths).toEqual(['/search', '/searxng/search', '/x/search'])
  })

  test('is a further page while results are missing, and no more when one brings nothing new', async () => {
    const paged = await bench((parameters) => ({
      results: [result(`${parameters.get('pageno')}a`), result(`${parameters.get('pageno')}b`)],
    }))
    expect(await paged.search.find(queryFor({ limit: 3 }), never())).toHaveLength(4)
    expect(paged.server.searches).toHaveLength(2)
    const same = await bench({ results: [result(1)] })
    expect(await same.search.find(queryFor({ limit: 100 }), never())).toHaveLength(1)
    expect(same.server.searches).toHaveLength(2)
    const endless = await bench((parameters) => ({ results: [result(parameters.get('pageno') ?? '')] }))
    expect(await endless.search.find(queryFor({ limit: 100 }), never())).toHaveLength(5)
  })
})

describe('what an instance gives', () => {
  test('becomes hits', async () => {
    const image = { img_src: '//i.example/a.png', thumbnail_src: 'https://t.example/', resolution: '640 x 480' }
    const { search, server } = await bench({ results: [result(1, { publishedDate: '2026-01-31T10:00:00' })] })
    expect(await search.find(queryFor({ limit: 1 }), never())).toEqual([
      { url: 'https://a.example/1', title: 'T1', description: 'C1', date: '2026-01-31T10:00:00' },
    ])
    server.script({ results: [result(1, image)] })
    expect(await search.find(queryFor({ source: 'images', limit: 1 }), never())).toMatchObject([
      { imageUrl: 'https://i.example/a.png', imageWidth: 640, imageHeight: 480 },
    ])
  })

  test('is kept to the days that were asked for, and put in order on request', async () => {
    const results = ['2025-12-31', '2026-01-15T12:00:00', '2026-02-01', undefined].map((publishedDate, at) =>
      result(at, { publishedDate }),
    )
    const { search } = await bench({ results })
    const urls = async (query: Parameters<typeof queryFor>[0]) =>
      (await search.find(queryFor(query), never())).map(({ url }) => url.slice(-1))
    expect(await urls({ time: { from: '2026-01-01', to: '2026-01-31' } })).toEqual(['1', '3'])
    expect(await urls({ newestFirst: true })).toEqual(['2', '1', '0', '3'])
  })

  test('is left out where it is not of the right type', async () => {
    const results = [
      null,
      7,
      'x',
      [],
      {},
      { url: 5 },
      { url: '' },
      { url: 'https://a.example/', title: [], content: 1 },
    ]
    const { search } = await bench({ results: results as object[] })
    expect(await search.find(queryFor(), never())).toMatchObject([{ url: 'https://a.example/', title: '' }])
  })
})

const hostile: readonly (readonly [string, SearxngReply, string, string | undefined])[] = [
  ['broken JSON', { raw: '{"results": [' }, 'search_failed', 'bad_answer'],
  ['a page of HTML', { raw: '<html>Hello</html>', type: 'text/html' }, 'search_failed', 'bad_answer'],
  ['nothing', { raw: '' }, 'search_failed', 'bad_answer'],
  ['JSON of another kind', { raw: '[]' }, 'search_failed', 'bad_answer'],
  ['null', { raw: 'null' }, 'search_failed', 'bad_answer'],
  ['results that are no list', { raw: '{"results": {"a": 1}}' }, 'search_failed', 'bad_answer'],
  ['an answer of 10 MB', { flood: 10_000_000 }, 'search_failed', 'too_large'],
  ['status 400', { status: 400 }, 'search_failed', 'bad_request'],
  ['status 403', { status: 403 }, 'not_configured', undefined],
  ['status 404', { status: 404 }, 'not_configured', undefined],
  ['status 429', { status: 429, headers: { 'retry-after': '7' } }, 'search_unavailable', 'busy'],
  ['status 500', { status: 500, body: 'x'.repeat(100_000) }, 'search_unavailable', 'server'],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'not_configured', undefined],
  ['silence', 'silence', 'search_unavailable', 'silent'],
  ['a closed connection', 'hang up', 'search_unavailable', 'connection'],
  ['an answer that breaks off', { brokenOff: '{"results": [' }, 'search_unavailable', 'connection'],
]

describe('an instance that answers with', () => {
  for (const [name, reply, code, reason] of hostile)
    test(`${name} is a typed failure after one request`, async () => {
      const { server, search } = await bench(reply)
      const error = await engineErrorOf(search.find(queryFor(), never()))
      expect([error.code, error.details['reason']]).toEqual([code, reason])
      expect(server.paths).toHaveLength(1)
      await expect.poll(() => server.open).toBe(0)
    })

  test('status 429 says when to ask again', async () => {
    const { search } = await bench({ status: 429, headers: { 'retry-after': '7' } })
    expect((await engineErrorOf(search.find(queryFor(), never()))).details).toMatchObject({ retryAfter: 7 })
  })

  test('nothing at all, because it is not there, is a typed failure', async () => {
    const search = searxng({ endpoint: 'http://127.0.0.1:1' })
    expect(await engineErrorOf(search.find(queryFor(), never()))).toMatchObject({ code: 'search_unavailable' })
  })
})

test('an endpoint that is no address is refused before anything is asked, without showing it', () => {
  for (const endpoint of ['localhost:8080', 'ftp://a.example', 'nonsense', 'http://user:secret@a.example/']) {
    const made = (): unknown => searxng({ endpoint })
    expect(made).toThrow(/endpoint of SearXNG/)
    expect(made).not.toThrow(/secret|nonsense/)
  }
})
