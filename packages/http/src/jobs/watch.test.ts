import { EngineError } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { createApi, type ApiOptions } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { documentOf, fakeEngine, someId } from '../fixtures/fake-engine.ts'
import { closingOf } from './watch.ts'
import type { Closing, Watching } from '../answer/watching.ts'

interface Told {
  readonly type: string
  readonly data?: Record<string, unknown>
  readonly error?: string
}

function open(path: string, { engine = fakeEngine(), headers = {}, ...options }: Opening = {}): Watching {
  const watching = createApi(engine, options).watch(new Request(`http://localhost:3002${path}`, { headers }))
  if (watching instanceof Promise) throw new Error('Both sides would speak here.')
  if ('status' in watching) throw new Error(`Refused with ${watching.status}: ${watching.error}`)
  return watching
}

type Opening = ApiOptions & {
  readonly engine?: ReturnType<typeof fakeEngine>
  readonly headers?: Record<string, string>
}

async function hear(watching: Watching): Promise<Told | Closing> {
  const { done, value } = await watching.next()
  if (done) return value
  return JSON.parse(typeof value === 'string' ? value : Buffer.concat(value).toString()) as Told
}

async function hearAll(watching: Watching): Promise<readonly (Told | Closing)[]> {
  const heard: (Told | Closing)[] = []
  for (;;) {
    const one = await hear(watching)
    heard.push(one)
    if ('code' in one) return heard
  }
}

describe('Who watches a job', () => {
  test.each(['/v2/crawl', '/v2/batch/scrape'])('at %s hears what it has, what it gets, and its end', async (path) => {
    const engine = fakeEngine()
    const job = engine.start()
    job.add(documentOf('a'), documentOf('b'))
    const watching = open(`${path}/${job.id}`, { engine })
    expect(await hear(watching)).toMatchObject({
      type: 'catchup',
      data: { success: true, status: 'scraping', completed: 2, data: [{ markdown: '# a' }, { markdown: '# b' }] },
    })
    job.add(documentOf('c'))
    expect(await hear(watching)).toMatchObject({
      type: 'document',
      data: { markdown: '# c', metadata: { url: 'https://a.test/c' } },
    })
    job.finish('completed')
    const ofThree = ['a', 'b', 'c'].map((name) => expect.objectContaining({ markdown: `# ${name}` }) as object)
    expect(await hearAll(watching)).toEqual([
      { type: 'done', data: expect.objectContaining({ status: 'completed', completed: 3, data: ofThree }) },
      { code: 1000, reason: '{"type":"done"}' },
    ])
    expect(job.listeners).toBe(0)
  })

  test('in version 1 hears documents in its own words, and the end only once', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    job.add(documentOf('a'))
    const watching = open(`/v1/crawl/${job.id}/`, { engine })
    const catchup = await hear(watching)
    expect(catchup).toMatchObject({ data: { data: [{ metadata: { sourceURL: 'https://a.test/a' } }] } })
    expect(catchup).not.toHaveProperty('data.data[0].metadata.url')
    job.add(documentOf('b'))
    job.finish('cancelled')
    const heard = await hearAll(watching)
    expect(heard).toMatchObject([
      { type: 'document', data: { markdown: '# b' } },
      { code: 1000, reason: '{"type":"done"}' },
    ])
    expect((heard[0] as Told).data?.['metadata']).not.toHaveProperty('url')
  })

  test('hears of a job that is over all it has, and how it ended', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    job.add(documentOf('a'))
    job.finish('completed')
    expect(await hearAll(open(`/v2/crawl/${job.id}`, { engine }))).toMatchObject([
      { type: 'catchup', data: { status: 'completed', data: [{ markdown: '# a' }] } },
      { type: 'done' },
      { code: 1000 },
    ])
  })

  test('gets the rest after the catchup when that cannot hold all, and until then the job is not told to be over', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    const large = 'x'.repeat(4_000_000)
    for (const name of ['a', 'b', 'c', 'd']) job.add({ ...documentOf(name), html: large })
    job.finish('completed')
    const heard = (await hearAll(open(`/v2/crawl/${job.id}`, { engine }))) as Told[]
    expect(heard.map(({ type }) => type)).toEqual(['catchup', 'document', 'document', undefined])
    expect(heard[0]?.data?.['status']).toBe('scraping')
    expect(heard[0]?.data?.['data']).toHaveLength(2)
    expect(heard.slice(1, 3).map(({ data }) => data?.['markdown'])).toEqual(['# c', '# d'])
    // Without a last message official clients read the whole result over HTTP.
    expect(heard[3]).toEqual({ code: 1000, reason: '{"type":"done"}' })
  })

  test('in version 2 hears that a job was cancelled before it hears that it is done', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    const watching = open(`/v2/crawl/${job.id}`, { engine })
    await hear(watching)
    job.finish('cancelled')
    expect(await hearAll(watching)).toMatchObject([
      { type: 'catchup', data: { status: 'cancelled', data: [] } },
      { type: 'done', data: { status: 'cancelled' } },
      { code: 1000 },
    ])
  })

  test('hears why a job failed', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    const first = open(`/v2/crawl/${job.id}`, { engine })
    const second = open(`/v1/crawl/${job.id}`, { engine })
    await Promise.all([hear(first), hear(second)])
    job.finish('failed', 'No start page.')
    const closing = { code: 1000, reason: '{"type":"error","error":"No start page."}' }
    expect(await hearAll(first)).toEqual([{ type: 'error', error: 'No start page.' }, closing])
    expect(await hearAll(second)).toEqual([closing])
  })

  test('gives the key as a protocol or as a header', async () => {
    const engine = fakeEngine()
    const job = engine.start({ team: 'acme' })
    const path = `/v2/crawl/${job.id}`
    const authenticate = apiKeys('acme:fc-1,other:fc-2')!
    for (const headers of [{ 'sec-websocket-protocol': 'fc-1' }, { authorization: 'Bearer fc-1' }]) {
      const watching = open(path, { engine, authenticate, headers })
      expect(await hear(watching)).toMatchObject({ type: 'catchup' })
      await watching.return({ code: 1000, reason: '' })
    }
    expect(job.listeners).toBe(0)
    const refused = async (headers: Record<string, string>) => hear(open(path, { engine, authenticate, headers }))
    expect(await refused({})).toEqual({ code: 3000, reason: '{"type":"error","error":"Unauthorized"}' })
    const wrong = '{"type":"error","error":"Unauthorized: Invalid token"}'
    expect(await refused({ 'sec-websocket-protocol': 'fc-3' })).toEqual({ code: 3000, reason: wrong })
    const foreign = '{"type":"error","error":"Job not found"}'
    expect(await refused({ 'sec-websocket-protocol': 'fc-2' })).toEqual({ code: 1008, reason: foreign })
  })

  test.each([
    ['latest', /Invalid job ID format/],
    [someId, /Job not found/],
  ])('of %s is told that there is none', async (id, reason) => {
    expect(await hear(open(`/v2/crawl/${id}`))).toEqual({ code: 1008, reason: expect.stringMatching(reason) })
  })
})

describe('A WebSocket', () => {
  const ask = (url: string, headers: Record<string, string> = {}, options: ApiOptions = {}) =>
    createApi(fakeEngine(), options).watch(new Request(url, { headers }))

  test('is opened nowhere else', () => {
    for (const path of ['/', '/v2/scrape', `/v2/crawl/${someId}/errors`, `/v1/scrape/${someId}`]) {
      expect(ask(`http://localhost${path}`)).toMatchObject({ status: 404 })
    }
  })

  test('is not opened for pages that may not use the API', () => {
    const url = `http://localhost/v2/crawl/${someId}`
    for (const origin of ['https://evil.test', 'null', 'http://localhost:3002']) {
      expect(ask(url, { origin })).toMatchObject({ status: 403 })
      expect(ask(url, { origin }, { cors: ['https://good.test'] })).toMatchObject({ status: 403 })
    }
    expect(ask(url, { origin: 'https://good.test' }, { cors: ['https://good.test'] })).not.toHaveProperty('status')
    expect(ask(url, { origin: 'https://any.test' }, { cors: '*' })).not.toHaveProperty('status')
  })

  test('is opened without a key only under a name of this machine', () => {
    const url = `http://evil.test/v2/crawl/${someId}`
    expect(ask(url)).toMatchObject({ status: 403 })
    expect(ask(url, {}, { authenticate: apiKeys('k')! })).not.toHaveProperty('status')
  })
})

describe('The reason for closing', () => {
  test.each([
    ['unauthorized', 3000],
    ['forbidden', 3003],
    ['not_found', 1008],
    ['invalid_request', 1008],
    ['closed', 1001],
    ['store_failed', 1011],
  ] as const)('of %s has the code %i', (code, expected) => {
    expect(closingOf(new EngineError(code, 'a')).code).toBe(expected)
  })

  test('tells nothing of a fault, and fits into the frame', () => {
    const { code, reason } = closingOf(new TypeError('secret'))
    expect(code).toBe(1011)
    expect(reason).not.toContain('secret')
    const long = closingOf(new EngineError('invalid_request', 'ä"'.repeat(500)))
    expect(Buffer.byteLength(long.reason)).toBeLessThanOrEqual(123)
    expect(Buffer.byteLength(long.reason)).toBeGreaterThan(110)
    expect(JSON.parse(long.reason)).toMatchObject({ type: 'error', error: expect.stringMatching(/^ä"ä".*…$/) })
  })
})
