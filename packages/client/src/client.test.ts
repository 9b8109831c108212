import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

import { createClient, type HarvestmanClient } from './client.ts'
import { readEvents } from './events.ts'

type Answer = (request: Request, count: number) => Response | Promise<Response>

/** A client of a server that answers like this, and what it was asked. */
function against(answer: Answer, options = {}) {
  const asked: Request[] = []
  const fetch = (async (input: string, init: RequestInit) => {
    const request = new Request(input, init)
    asked.push(request)
    return answer(request, asked.length)
  }) as typeof globalThis.fetch
  return { asked, client: createClient({ url: 'https://server.test/web/', key: 'secret', fetch, ...options }) }
}

const busy = (status: number, body: object = {}) => Response.json(body, { status, headers: { 'retry-after': '0' } })
const document = { markdown: '# A', metadata: { sourceURL: 'https://a.test' } }

async function all<Item>(items: AsyncIterable<Item> | AsyncGenerator<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a request has the key and the path of the server', async () => {
  const { client, asked } = against(() => Response.json({ success: true, data: document }))
  expect(await client.scrape({ url: 'https://a.test' })).toEqual(document)
  expect(asked[0]?.url).toBe('https://server.test/web/v2/scrape')
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer secret')
})

test('a request of your own goes to the server with the key, and its response is given as it is', async () => {
  const { client, asked } = against(() => busy(503, { error: 'Closing.' }))
  const signal = AbortSignal.timeout(60_000)
  const sent = new Request('http://elsewhere.test/', { method: 'POST', body: 'a', headers: { 'x-a': '1' }, signal })
  const response = await client.fetch('/v2/map?a=1', sent)
  expect([response.status, await response.json()]).toEqual([503, { error: 'Closing.' }])
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST https://server.test/web/v2/map?a=1'])
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer secret')
  expect([asked[0]?.headers.get('x-a'), await asked[0]?.text()]).toEqual(['1', 'a'])
})

test('an answer is one, also where a framework has put a class of its own in the place of Response', async () => {
  const answer = Response.json({ success: true, data: document })
  const { client } = against(() => answer)
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('Response', Map)
  expect(await client.scrape({ url: 'https://a.test' })).toEqual(document)
})

test('a server that is busy is asked again, as often as was allowed', async () => {
  const { client, asked } = against((_, count) =>
    count < 3 ? busy(429) : Response.json({ success: true, data: document }),
  )
  expect(await client.scrape({ url: 'https://a.test' })).toEqual(document)
  expect(asked).toHaveLength(3)
  const never = against(() => busy(503, { error: 'Closing.', code: 'SERVER_CLOSING' }), { retries: 1 })
  await expect(never.client.scrape({ url: 'https://a.test' })).rejects.toMatchObject({
    status: 503,
    code: 'SERVER_CLOSING',
  })
  expect(never.asked).toHaveLength(2)
})

test('a search gives its results by source, with the document of each page', async () => {
  const body = {
    success: true,
    data: { web: [{ url: 'https://a.test/', title: 'A', description: 'Of a.', position: 1, markdown: '# A' }] },
    id: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
    creditsUsed: 3,
    warning: 'One page failed.',
  }
  const { client, asked } = against(() => Response.json(body))
  const { web, creditsUsed, warning } = await client.search({ query: 'a', scrapeOptions: { formats: ['markdown'] } })
  expect([web?.[0]?.markdown?.length, web?.[0]?.description, creditsUsed, warning]).toEqual([
    3,
    'Of a.',
    3,
    'One page failed.',
  ])
  expect(asked[0]?.url).toMatch(/\/v2\/search$/)
  const { web: plain } = await client.search({ query: 'a' })
  // @ts-expect-error: no page is scraped without formats.
  expect(plain?.[0]?.markdown).toBeDefined()
})

test('what the server was not given is not asked for again', async () => {
  const body = { success: false, code: 'NOT_CONFIGURED', error: 'There is no model.' }
  const { client, asked } = against(() => Response.json(body, { status: 503 }))
  await expect(client.map({ url: 'https://a.test' })).rejects.toMatchObject({ code: 'NOT_CONFIGURED' })
  expect(asked).toHaveLength(1)
})

test('a scrape is not sent twice when it is unknown how far it got, and the start of a job is, under one key', async () => {
  const broken = () => Promise.reject(new TypeError('fetch failed'))
  const scrape = against(broken)
  await expect(scrape.client.scrape({ url: 'https://a.test' })).rejects.toMatchObject({ code: 'NETWORK' })
  expect(scrape.asked).toHaveLength(1)
  const crawl = against((_, count) => (count === 1 ? broken() : Response.json({ success: true, id: 'one' })))
  expect((await crawl.client.crawl({ url: 'https://a.test' })).id).toBe('one')
  const keys = crawl.asked.map(({ headers }) => headers.get('x-idempotency-key'))
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys).toEqual([keys[0], keys[0]])
})

test('the caller can cancel a request and a pause', async () => {
  const gone = new AbortController()
  const { client } = against(() => new Response(null, { status: 429, headers: { 'retry-after': '30' } }))
  const asking = client.scrape({ url: 'https://a.test' }, { signal: gone.signal })
  setTimeout(() => gone.abort(new Error('gone')), 5)
  await expect(asking).rejects.toThrow('gone')
})

test('the pages of a job are followed on this server only, and the key goes nowhere else', async () => {
  const head = { success: true, status: 'completed', total: 2, completed: 2 }
  const { client, asked } = against((_, count) =>
    Response.json(
      count === 1 ? { ...head, data: [1], next: 'https://evil.test/v2/crawl/other?skip=1' } : { ...head, data: [2] },
    ),
  )
  const seen = await all(client.findCrawl('one').documents())
  expect(seen).toEqual([1, 2])
  expect(asked.map(({ url }) => url)).toEqual([
    'https://server.test/web/v2/crawl/one?skip=0',
    'https://server.test/web/v2/crawl/one?skip=1',
  ])
})

test('the handle of an earlier job has its id, which is encoded once in each path', async () => {
  const { client, asked } = against(() => Response.json({ data: [], rows: [] }))
  const [crawl, batch] = [client.findCrawl('a/b'), client.findBatch('a/b')]
  expect([crawl.id, batch.id]).toEqual(['a/b', 'a/b'])
  await crawl.status()
  await all(crawl.rows())
  await all(crawl.explain())
  await batch.status()
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual([
    '/web/v2/crawl/a%2Fb',
    '/web/v2/jobs/a%2Fb/rows',
    '/web/v2/crawl/a%2Fb/explain',
    '/web/v2/batch/scrape/a%2Fb',
  ])
})

test('a job that failed ends its documents with its reason, and a job that is over cannot be cancelled', async () => {
  const failed = { success: true, status: 'failed', error: 'There is no such host.', data: [], total: 0, completed: 0 }
  const { client } = against(({ method }) =>
    method === 'GET' ? Response.json(failed) : Response.json({}, { status: 409 }),
  )
  await expect(all(client.findBatch('one').documents())).rejects.toThrow('There is no such host.')
  expect(await client.findBatch('one').cancel()).toBe(false)
})

test('what is no JSON is said to be no server of ours', async () => {
  const { client } = against(() => new Response('<html>'))
  await expect(client.findScrape('one')).rejects.toMatchObject({ code: 'BAD_ANSWER' })
})

test.each<[string, (client: HarvestmanClient, signal?: AbortSignal) => Promise<unknown>, string]>([
  ['JSON', (client, signal) => client.findScrape('one', { signal }), 'BAD_ANSWER'],
  ['a file', (client, signal) => client.file('one', { signal }), 'NETWORK'],
])('a body of %s that is not read to its end is reported by the reason', async (_, read, code) => {
  const reading = Promise.withResolvers<void>()
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const start = (body: ReadableStreamDefaultController): void =>
      init?.signal?.addEventListener('abort', () => body.error(init.signal?.reason))
    return new Response(new ReadableStream({ start, pull: () => reading.resolve() }))
  }
  const gone = new AbortController()
  const aborted = read(against(() => busy(503), { fetch }).client, gone.signal)
  void reading.promise.then(() => gone.abort(new Error('gone')))
  await expect(aborted).rejects.toThrow('gone')
  await expect(read(against(() => busy(503), { fetch, timeout: 1 }).client)).rejects.toMatchObject({ code: 'TIMEOUT' })
  const broken = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }))
  await expect(read(against(broken).client)).rejects.toMatchObject({ code })
})

test.each([1, 2, 7, 1_000])('events are read from pieces of %i bytes', async (size) => {
  const text =
    'retry: 2000\n\n:\n\nid: 1\nevent: page\ndata: {"a":"ü"}\n\nid: 2\r\nevent: completed\r\ndata: {}\r\n\r\n'
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  )
  expect(await all(readEvents(ReadableStream.from(pieces) as ReadableStream<Uint8Array>))).toEqual([
    { id: '1', type: 'page', data: '{"a":"ü"}' },
    { id: '2', type: 'completed', data: '{}' },
  ])
})

test('a watched job is taken up again where its connection broke', async () => {
  const event = (id: number, type: string) => `id: ${id}\nevent: ${type}\ndata: {"job":"one"}\n\n`
  const streams = [event(1, 'started') + event(2, 'page'), event(3, 'completed')]
  const { client, asked } = against((_, count) => new Response(streams[count - 1]))
  const seen = await all(client.findCrawl('one').events())
  expect(seen.map(({ type }) => type)).toEqual(['started', 'page', 'completed'])
  expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '2'])
})

test('jobs are listed page after page, to the end', async () => {
  const job = { kind: 'crawl', status: 'completed', about: 'https://a.test/' }
  const { client, asked } = against((request) =>
    Response.json(
      request.url.includes('cursor=b')
        ? { success: true, jobs: [{ id: 'c', ...job }] }
        : {
            success: true,
            jobs: [
              { id: 'a', ...job },
              { id: 'b', ...job },
            ],
            cursor: 'b',
          },
    ),
  )
  const found = await all(client.jobs({ kind: 'crawl' }))
  expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(asked.map(({ url }) => new URL(url).search)).toEqual([
    '?kind=crawl&limit=100',
    '?kind=crawl&limit=100&cursor=b',
  ])
})

test('a job of any kind is started under one key, looked at until it ends, and cancelled where that is not too late', async () => {
  const { client, asked } = against(({ method, url }, count) => {
    if (method === 'POST') return Response.json({ success: true, id: 'one' })
    if (method === 'DELETE') return Response.json({}, { status: 409 })
    const isOver = count > 2 || url.endsWith('two')
    return Response.json(
      isOver
        ? { success: false, status: 'failed', error: 'There is no such host.' }
        : { success: true, status: 'processing' },
    )
  })
  const job = await client.start('dead_links', { url: 'https://a.test/' })
  expect(await job.end()).toMatchObject({ status: 'failed', error: 'There is no such host.' })
  expect(await job.cancel()).toBe(false)
  expect(await client.find('dead_links', 'two').status()).toMatchObject({ status: 'failed' })
  expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /web/v2/dead-links',
    'GET /web/v2/dead-links/one',
    'GET /web/v2/dead-links/one',
    'DELETE /web/v2/dead-links/one',
    'GET /web/v2/dead-links/two',
  ])
  expect(asked[0]?.headers.get('x-idempotency-key')).toMatch(/^[\da-f-]{36}$/)
})

test('a file is uploaded to this server only, and parsed by its name there', async () => {
  const { client, asked } = against(({ method }) =>
    Response.json(
      method === 'PUT'
        ? { success: true }
        : {
            success: true,
            uploadUrl: 'https://evil.test/v2/parse/upload/one',
            uploadRef: 'one',
            expiresAt: '2026-01-01T00:00:00Z',
            data: document,
          },
    ),
  )
  const file = await client.upload(new TextEncoder().encode('%PDF'), { name: 'a.pdf', contentType: 'application/pdf' })
  expect(await client.parse(file, { formats: ['markdown'] })).toEqual(document)
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST https://server.test/web/v2/parse/upload-url',
    'PUT https://server.test/web/v2/parse/upload/one',
    'POST https://server.test/web/v2/parse',
  ])
  const [told, sent, parsed] = asked
  expect(await told?.json()).toEqual({ filename: 'a.pdf', contentType: 'application/pdf', declaredSizeBytes: 4 })
  expect(await sent?.text()).toBe('%PDF')
  expect(await parsed?.json()).toEqual({ formats: ['markdown'], uploadRef: 'one' })
})

test('a screenshot is read by its address, from this server only', async () => {
  const { client, asked } = against(() => new Response('PNG'))
  expect(await (await client.file('https://evil.test/v2/files/one?x=1#y')).text()).toBe('PNG')
  expect(asked[0]?.url).toBe('https://server.test/web/v2/files/one')
  await expect(client.file('https://evil.test/')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(asked).toHaveLength(1)
})

test('the rows of a job are read to where it is', async () => {
  const rows = (url: string) => [{ outcome: 'visited', url }]
  const { client, asked } = against(({ url }) =>
    Response.json(
      url.includes('cursor=')
        ? { success: true, rows: rows('b'), cursor: 'b', hasMore: false }
        : { success: true, rows: rows('a'), cursor: 'a/1', hasMore: true },
    ),
  )
  expect((await all(client.findCrawl('one').rows())).map(({ url }) => url)).toEqual(['a', 'b'])
  expect(asked[1]?.url).toBe('https://server.test/web/v2/jobs/one/rows?cursor=a%2F1')
})

test('a schema of a library is sent as JSON Schema, and one that cannot be is refused before anything is sent', async () => {
  const { client, asked } = against(() => Response.json({ success: true, data: document }))
  const schema = z.object({ price: z.number() }) as unknown as Record<string, unknown>
  await client.scrape({ url: 'https://a.test', formats: [{ type: 'json', schema }] })
  expect(await asked[0]?.json()).toMatchObject({
    formats: [{ type: 'json', schema: { type: 'object', properties: { price: { type: 'number' } } } }],
  })
  const other = { '~standard': { version: 1 } }
  const asking = client.scrape({ url: 'https://a.test', formats: [{ type: 'json', schema: other }] })
  await expect(asking).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(asked).toHaveLength(1)
})

test('a job is followed without its request', async () => {
  const job = { id: 'a', kind: 'crawl', status: 'scraping' }
  const { client, asked } = against(() => Response.json({ success: true, job }))
  expect(await client.jobStatus('a b')).toEqual(job)
  expect(asked[0]?.url).toBe('https://server.test/web/v2/jobs/a%20b?request=false')
})

test('a job is followed by its rows: each call returns its status and the rows after a cursor', async () => {
  const page = { job: { id: 'one', kind: 'crawl', status: 'scraping' }, rows: [], cursor: 'a/1', hasMore: false }
  const { client, asked } = against(() => Response.json({ success: true, ...page }))
  expect(await client.jobRows('one', { cursor: 'a/0', limit: 20 })).toMatchObject(page)
  expect(asked[0]?.url).toBe('https://server.test/web/v2/jobs/one/rows?limit=20&cursor=a%2F0')
})

test('an endpoint without a method is called by its path: its JSON is returned, its errors are thrown', async () => {
  const { client, asked } = against(({ url }) =>
    url.endsWith('/bad')
      ? Response.json({ success: false, error: 'No.', code: 'BAD_REQUEST' }, { status: 400 })
      : Response.json({ success: false, status: 'ok' }),
  )
  const body = new FormData()
  body.set('a', '1')
  expect(await client.request('/own', { method: 'POST', body, headers: { 'x-a': '1' } })).toMatchObject({
    status: 'ok',
  })
  expect([asked[0]?.method, asked[0]?.headers.get('x-a'), (await asked[0]?.formData())?.get('a')]).toEqual([
    'POST',
    '1',
    '1',
  ])
  await expect(client.request('/bad')).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST', message: 'No.' })
})
