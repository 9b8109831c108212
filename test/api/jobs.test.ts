// The rules of maps, crawls and batches over HTTP, by name, in both versions: a real server, a real engine, real pages.
import { randomUUID } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { askServer, openHouse, type Body, type Sent } from './bench.ts'

const house = openHouse('one:key-one,two:key-two')
const { at } = house
const ask = (method: string, path: string, sent?: Sent) => askServer(house, method, path, sent)

/** Follows `next` without a pause, as clients do, until it is gone. */
async function readAll(url: string, limit?: number) {
  const documents: Body['data'][number][] = []
  let requests = 0
  let next: string | undefined = limit === undefined ? url : `${url}?limit=${limit}`
  let last: Body | undefined
  while (next !== undefined) {
    requests += 1
    const { status, body } = await ask('GET', next)
    expect(status).toBe(200)
    documents.push(...body.data)
    last = body
    next = body.next
  }
  return { documents, requests, last: last! }
}

const sources = (documents: readonly { readonly metadata: Readonly<Record<string, unknown>> }[]) =>
  documents.map(({ metadata }) => metadata['sourceURL'] as string)

describe.each(['v1', 'v2'] as const)('%s', (version) => {
  describe('A batch', () => {
    const start = (body: object, sent: Sent = {}) => ask('POST', `/${version}/batch/scrape`, { body, ...sent })

    test('gives every page once, and counts those that failed', async () => {
      const good = ['/good/article', '/good/docs', '/status/404', '/good/table', '/good/forum'].map(at)
      const { status, body } = await start({
        urls: [...good, at('/broken/reset'), 'http://10.0.0.1/'],
        formats: ['markdown'],
      })
      expect(status).toBe(200)
      const { documents, last } = await readAll(body.url, 2)
      expect(sources(documents).toSorted()).toEqual(good.toSorted())
      expect(last).toMatchObject({ success: true, status: 'completed', total: 7, completed: 5, creditsUsed: 5 })
      expect(Date.parse(String(last['expiresAt']))).toBeGreaterThan(Date.now())
      for (const { metadata } of documents) expect('url' in metadata).toBe(version === 'v2')
      const errors = await ask('GET', `${body.url}/errors`)
      expect(errors.body).toEqual({
        success: true,
        errors: expect.arrayContaining([
          expect.objectContaining({ url: 'http://10.0.0.1/', code: 'URL_BLOCKED' }),
          expect.objectContaining({ url: at('/broken/reset') }),
        ]) as unknown,
        robotsBlocked: [],
      })
      // Either path serves either kind.
      const asCrawl = await ask('GET', `/${version}/crawl/${body.id}`)
      expect(sources(asCrawl.body.data).toSorted()).toEqual(good.toSorted())
    })

    test('may leave out addresses that are none, and then names them', async () => {
      const urls = [at('/good/article'), 'no url']
      expect(await start({ urls })).toMatchObject({ status: 400, body: { success: false, code: 'BAD_REQUEST' } })
      const { body } = await start({ urls, ignoreInvalidURLs: true })
      expect(body['invalidURLs']).toEqual(['no url'])
      const { last } = await readAll(body.url)
      expect(last).toMatchObject({ total: 1, completed: 1 })
      const none = await start({ urls: ['no url'], ignoreInvalidURLs: true })
      expect(none).toMatchObject({ status: 400, body: { error: 'No valid URLs provided' } })
    })

    test('takes more addresses later', async () => {
      const first = await start({ urls: [at('/good/article')] })
      await readAll(first.body.url)
      const more = await start({ urls: [at('/good/docs')], appendToId: first.body.id })
      expect(more.body.id).toBe(first.body.id)
      await expect.poll(async () => (await ask('GET', first.body.url)).body.completed).toBe(2)
      expect(sources((await readAll(first.body.url)).documents)).toEqual([at('/good/article'), at('/good/docs')])
      const nowhere = await start({ urls: [at('/good/docs')], appendToId: randomUUID() })
      expect(nowhere.status).toBe(404)
    })

    test('that goes on does not make a client spin that follows next', async () => {
      const { body } = await start({ urls: [at('/slow/delay?ms=1500'), at('/good/article')] })
      const { requests, last } = await readAll(body.url)
      expect(last).toMatchObject({ status: 'completed', completed: 2 })
      expect(requests).toBeLessThan(10)
    })

    test('is ended once, and keeps what it has', async () => {
      const { body } = await start({ urls: [at('/good/article'), at('/slow/silent?a'), at('/slow/silent?b')] })
      await expect.poll(async () => (await ask('GET', body.url)).body.completed).toBe(1)
      expect(await ask('DELETE', body.url)).toEqual({ status: 200, body: { success: true, status: 'cancelled' } })
      const { documents, last } = await readAll(body.url)
      expect(last.status).toBe('cancelled')
      expect(last.total).toBe(3)
      expect(sources(documents)).toEqual([at('/good/article')])
      expect(await ask('DELETE', body.url)).toMatchObject({ status: 409, body: { success: false } })
    })

    test('belongs to its team', async () => {
      const { body } = await start({ urls: [at('/good/article')] })
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/errors'],
        ['DELETE', ''],
      ] as const) {
        expect(await ask(method, body.url + path, { key: 'key-two' })).toEqual({
          status: 404,
          body: { success: false, code: 'NOT_FOUND', error: 'Job not found' },
        })
      }
    })

    test('counts once under a key, however often it is asked for at once', async () => {
      const headers = { 'x-idempotency-key': randomUUID() }
      const asked = { urls: [at('/good/article?once')] }
      const answers = await Promise.all(Array.from({ length: 30 }, () => start(asked, { headers })))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      await readAll(answers[0]!.body.url)
      // The answer was lost: who asks again is told of the same job.
      expect((await start(asked, { headers })).body.id).toBe(answers[0]!.body.id)
      expect((await start({ urls: [at('/good/docs')] }, { headers })).status).toBe(409)
      expect((await start(asked, { headers: { 'x-idempotency-key': 'mine' } })).status).toBe(409)
      expect((await start(asked, { headers, key: 'key-two' })).body.id).not.toBe(answers[0]!.body.id)
    })
  })

  describe('A crawl', () => {
    const start = (body: object, sent: Sent = {}) => ask('POST', `/${version}/crawl`, { body, ...sent })

    test('gives as many pages as it may, each once', async () => {
      const { status, body } = await start({ url: at('/crawl/'), limit: 7, scrapeOptions: { formats: ['links'] } })
      expect(status).toBe(200)
      expect(body.url).toBe(`${house.server.url}/${version}/crawl/${body.id}`)
      const { documents, last } = await readAll(body.url, 3)
      expect(last).toMatchObject({ success: true, status: 'completed', total: 7, completed: 7 })
      expect(new Set(sources(documents)).size).toBe(7)
      for (const document of documents) expect(Object.keys(document).toSorted()).toEqual(['links', 'metadata'])
    })

    test('stays within the paths that it is given', async () => {
      const { body } = await start({ url: at('/good/article'), includePaths: ['^/good/article'], limit: 20 })
      const { documents } = await readAll(body.url)
      expect(sources(documents).toSorted()).toEqual([at('/good/article'), at('/good/article/two')])
    })

    test('is listed while it runs, and ended', async () => {
      const { body } = await start({
        url: at('/slow/silent?crawl'),
        ...(version === 'v1' ? { ignoreSitemap: true } : { sitemap: 'skip' }),
      })
      for (const word of ['active', 'ongoing']) {
        const list = (await ask('GET', `/${version}/crawl/${word}`)).body['crawls'] as { readonly id: string }[]
        expect(list.filter(({ id }) => id === body.id)).toMatchObject([
          { teamId: 'one', url: at('/slow/silent?crawl'), options: { limit: 10_000 } },
        ])
        expect((await ask('GET', `/${version}/crawl/${word}`, { key: 'key-two' })).body['crawls']).toEqual([])
      }
      expect(await ask('DELETE', body.url)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
      const list = (await ask('GET', `/${version}/crawl/active`)).body['crawls'] as { readonly id: string }[]
      expect(list.map(({ id }) => id)).not.toContain(body.id)
    })

    test.each([
      [{}, 'url'],
      [{ url: 'a.test', limit: 0 }, 'limit'],
      [{ url: 'a.test', includePaths: ['('] }, 'includePaths[0]'],
      [{ url: 'a.test', delay: 0 }, 'delay'],
      [{ url: 'a.test', webhook: 'nowhere' }, 'webhook'],
      [{ url: 'a.test', scrapeOptions: { formats: ['pictures'] } }, 'scrapeOptions.formats[0]'],
      [{ url: 'a.test', scrapeOptions: { url: 'b.test' } }, 'scrapeOptions.url'],
      [{ url: 'a.test', maxPages: 5 }, 'maxPages'],
    ])('of %j is refused by the name of %s', async (asked, field) => {
      const { status, body } = await start(asked)
      expect(status).toBe(400)
      expect(body).toMatchObject({
        success: false,
        code: 'BAD_REQUEST',
        details: [{ message: expect.stringContaining(field) as unknown }],
      })
    })
  })
})

describe('A map', () => {
  const links = async (version: string, asked: object) => {
    const { status, body } = await ask('POST', `/${version}/map`, { body: { url: at('/crawl/'), ...asked } })
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    return body['links'] as readonly (string | { readonly url: string })[]
  }

  test('gives addresses with what is known of them in version 2, and addresses alone in version 1', async () => {
    const [second, first] = await Promise.all([links('v2', { limit: 5 }), links('v1', { limit: 5 })])
    expect(second).toHaveLength(5)
    for (const link of second) expect(link).toMatchObject({ url: expect.stringContaining(house.site.url) as unknown })
    expect(first).toHaveLength(5)
    for (const link of first) expect(link).toMatch(house.site.url)
  })

  test('may be of the sitemap alone, or without it, in the words of either version', async () => {
    const inSitemap = at('/crawl/page/15')
    expect(await links('v1', { sitemapOnly: true })).toContain(inSitemap)
    expect(await links('v2', { sitemap: 'only' })).toContainEqual(expect.objectContaining({ url: inSitemap }))
    expect(await links('v1', { ignoreSitemap: true })).toContain(at('/crawl/page/1'))
    const refused = await ask('POST', '/v1/map', { body: { url: at('/'), sitemap: 'only' } })
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringContaining('sitemap') as unknown }] },
    })
  })
})

test('A crawl of version 1 may not begin deeper than it may go', async () => {
  const { status, body } = await ask('POST', '/v1/crawl', { body: { url: at('/good/article'), maxDepth: 1 } })
  expect(status).toBe(400)
  expect(body.error).toBe('URL depth exceeds the specified maxDepth')
})

test('The events of a batch are told, and told again from where a listener was', async () => {
  const { body } = await ask('POST', '/v2/batch/scrape', { body: { urls: [at('/good/article'), at('/broken/reset')] } })
  const listen = async (after?: string) => {
    const headers = { authorization: 'Bearer key-one', ...(after !== undefined && { 'last-event-id': after }) }
    const response = await fetch(`${body.url}/events`, { headers })
    const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('id: '))
    const events = blocks.map((block) => {
      const [id = '', event = ''] = block.split('\n').map((line) => line.slice(line.indexOf(' ') + 1))
      return { id, event }
    })
    return { status: response.status, events }
  }
  const { events } = await listen()
  expect(events.map(({ event }) => event).toSorted()).toEqual(['completed', 'failed_page', 'page', 'started'])
  expect((await listen(events[1]!.id)).events).toEqual(events.slice(2))
  expect(await listen(events.at(-1)!.id)).toEqual({ status: 204, events: [] })
})
