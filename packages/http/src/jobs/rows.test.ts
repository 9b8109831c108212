import { describe, expect, onTestFinished, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { documentOf, fakeEngine, someId } from '../fixtures/fake-engine.ts'
import { serve } from '../server/serve.ts'

const base = 'http://localhost:3002'
const versions = ['v1', 'v2'] as const
const kinds = ['crawl', 'batch/scrape'] as const
const both = versions.flatMap((version) => kinds.map((kind) => [version, kind] as const))
const key = '6f1c2f0e-4a8c-4c0e-9d0b-6f3f6f0f6b11'

type Json = Record<string, unknown>

function opened(engine = fakeEngine(), options: Parameters<typeof createApi>[1] = {}) {
  const api = createApi(engine, options)
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = { 'content-type': 'application/json' }
    const response = await api(new Request(base + path, { method, headers: { ...type, ...headers }, ...init }))
    return { status: response.status, body: (await response.json()) as Json }
  }
  return {
    engine,
    get: (path: string, headers = {}) => send('GET', path, headers),
    remove: (path: string, headers = {}) => send('DELETE', path, headers),
    post: (path: string, body: unknown, headers = {}) => send('POST', path, headers, body),
  }
}

describe('Starting', () => {
  test.each(versions)('a crawl in %s gives an id and the address of its state', async (version) => {
    const { engine, post } = opened()
    const { status, body } = await post(`/${version}/crawl`, { url: 'a.test', limit: 3, origin: 'js-sdk@4.42.0' })
    expect(status).toBe(200)
    const [id] = engine.running.keys()
    expect(body).toEqual({ success: true, id, url: `${base}/${version}/crawl/${id}` })
    expect(engine.asked).toMatchObject([{ kind: 'crawl', request: { url: 'http://a.test', limit: 3 } }])
  })

  test.each(versions)('a batch in %s gives an id and the address of its state', async (version) => {
    const { engine, post } = opened()
    const { status, body } = await post(`/${version}/batch/scrape`, {
      urls: ['a.test/1', 'a.test/2'],
      formats: ['links'],
    })
    expect(status).toBe(200)
    const [id] = engine.running.keys()
    expect(body).toEqual({ success: true, id, url: `${base}/${version}/batch/scrape/${id}` })
    expect(engine.asked).toMatchObject([
      { kind: 'batch', request: { urls: ['a.test/1', 'a.test/2'], formats: [{ type: 'links' }] } },
    ])
  })

  test.each(versions)('a batch in %s names the addresses it left out, when it may leave some out', async (version) => {
    const { post } = opened()
    const path = `/${version}/batch/scrape`
    const some = await post(path, { urls: ['a.test', 'no url'], ignoreInvalidURLs: true })
    expect(some.body).toMatchObject({ success: true, invalidURLs: ['no url'] })
    const none = await post(path, { urls: ['a.test'], ignoreInvalidURLs: true })
    expect(none.body['invalidURLs']).toEqual([])
    expect((await post(path, { urls: ['a.test'] })).body).not.toHaveProperty('invalidURLs')
  })

  test.each(both)(
    'in %s a %s passes on who asks, where files are, and the key under which it counts once',
    async (version, kind) => {
      const { engine, post } = opened(fakeEngine(), { authenticate: apiKeys('acme:k')! })
      const body = { url: 'a.test', urls: ['a.test'] }
      const asked = kind === 'crawl' ? { url: body.url } : { urls: body.urls }
      const headers = {
        authorization: 'Bearer k',
        'x-forwarded-proto': 'https',
        'x-idempotency-key': key.toUpperCase(),
      }
      const first = await post(`/${version}/${kind}`, asked, headers)
      expect(engine.asked[0]?.call).toEqual({
        team: 'acme',
        apiVersion: version,
        filesAt: 'https://localhost:3002/v2/files/',
        idempotencyKey: key,
        admitted: {},
      })
      expect(first.body['url']).toBe(`https://localhost:3002/${version}/${kind}/${key}`)
      expect((await post(`/${version}/${kind}`, asked, headers)).body).toEqual(first.body)
    },
  )

  test.each(both)('in %s a %s with a key that is no UUID is refused', async (version, kind) => {
    const { engine, post } = opened()
    for (const name of ['x-idempotency-key', 'idempotency-key']) {
      const asked = kind === 'crawl' ? { url: 'a.test' } : { urls: ['a.test'] }
      const { status, body } = await post(`/${version}/${kind}`, asked, { [name]: 'my key' })
      expect(status).toBe(409)
      expect(body).toMatchObject({ success: false, code: 'CONFLICT', error: expect.stringContaining('UUID') })
    }
    expect(engine.running.size).toBe(0)
  })

  test.each(versions)('a crawl in %s may have labels in the options of its pages', async (version) => {
    const { engine, post } = opened()
    const scrapeOptions = { formats: ['links'], origin: 'x', integration: null, fastMode: true }
    expect((await post(`/${version}/crawl`, { url: 'a.test', scrapeOptions })).status).toBe(200)
    expect(engine.asked).toMatchObject([{ request: { scrapeOptions: { formats: [{ type: 'links' }] } } }])
    const refused = await post(`/${version}/crawl`, { url: 'a.test', scrapeOptions: { safeMode: true } })
    expect(refused.body).toMatchObject({ code: 'NOT_CONFIGURED' })
  })

  test.each(both)('redacts pages in version 2 only: a %s %s', async (version, kind) => {
    const { engine, post } = opened()
    const options = { redactPII: { entities: ['EMAIL'] } }
    const asked = kind === 'crawl' ? { url: 'a.test', scrapeOptions: options } : { urls: ['a.test'], ...options }
    const { status, body } = await post(`/${version}/${kind}`, asked)
    if (version === 'v1') {
      expect([status, body]).toEqual([400, expect.objectContaining({ code: 'NOT_CONFIGURED' })])
      expect(engine.asked).toEqual([])
      return
    }
    expect(status).toBe(200)
    const redactPII = expect.objectContaining({ entities: ['EMAIL'] })
    expect(engine.asked).toMatchObject([
      { request: kind === 'crawl' ? { scrapeOptions: { redactPII } } : { redactPII } },
    ])
  })

  test.each(versions)('takes a webhook as an address or as an object in %s', async (version) => {
    const { engine, post } = opened()
    for (const webhook of ['https://hook.test/', { url: 'https://hook.test/', events: ['page'] }]) {
      expect((await post(`/${version}/crawl`, { url: 'a.test', webhook })).status).toBe(200)
    }
    expect(engine.asked).toMatchObject([
      { request: { webhook: { url: 'https://hook.test/' } } },
      { request: { webhook: { url: 'https://hook.test/', events: ['page'] } } },
    ])
  })
})

describe('A map', () => {
  const links = [{ url: 'https://a.test/', title: 'A', description: 'Of A.' }, { url: 'https://a.test/b' }]

  test('gives links with what is known of them in version 2, and their addresses in version 1', async () => {
    const { engine, post } = opened()
    engine.found = { links, creditsUsed: 1 }
    expect((await post('/v2/map', { url: 'a.test' })).body).toEqual({ success: true, id: someId, links })
    expect((await post('/v1/map', { url: 'a.test' })).body).toEqual({
      success: true,
      id: someId,
      links: ['https://a.test/', 'https://a.test/b'],
    })
  })

  test('says what is odd about it', async () => {
    const { engine, post } = opened()
    engine.found = { links: [], warning: 'Only one link.', creditsUsed: 1 }
    expect((await post('/v2/map', { url: 'a.test' })).body).toMatchObject({ links: [], warning: 'Only one link.' })
  })
})

describe('The state of a job', () => {
  test.each(both)('in %s is found under /%s, whatever kind of job it is', async (version, kind) => {
    const { engine, get } = opened()
    for (const made of ['crawl', 'batch']) {
      const job = engine.start({ kind: made })
      job.add(documentOf('a'))
      job.fail({ id: someId, timestamp: '', url: '', code: 'timeout', error: '' })
      const { status, body } = await get(`/${version}/${kind}/${job.id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: true, status: 'scraping', total: 3, completed: 1, creditsUsed: 1 })
      expect(body['expiresAt']).toBe('2026-01-02T00:00:00.000Z')
      expect(body['data']).toMatchObject([{ markdown: '# a', metadata: { sourceURL: 'https://a.test/a' } }])
      expect(body['next']).toBe(`${base}/${version}/${kind}/${job.id}?skip=1`)
      expect('createdAt' in body).toBe(version === 'v2')
    }
  })

  test('in version 2 tells when it was made and when it ended, and how long it took', async () => {
    const { engine, get } = opened()
    const job = engine.start()
    job.finish('completed', 'Very few pages.')
    expect((await get(`/v2/crawl/${job.id}`)).body).toEqual({
      success: true,
      status: 'completed',
      outcome: 'completed',
      failed: 0,
      total: 0,
      completed: 0,
      creditsUsed: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
      completedAt: '2026-01-01T00:01:00.000Z',
      duration: 60,
      warning: 'Very few pages.',
      expiresAt: '2026-01-02T00:00:00.000Z',
      data: [],
    })
  })

  test('in version 1 has documents in its own words', async () => {
    const { engine, get } = opened()
    const job = engine.start()
    job.add(documentOf('ä', { extract: { a: 1 } }), documentOf('b'))
    job.finish('completed')
    const { body } = await get(`/v1/crawl/${job.id}`)
    expect(Object.keys(body).toSorted()).toEqual(
      ['completed', 'creditsUsed', 'data', 'expiresAt', 'status', 'success', 'total'].toSorted(),
    )
    const [first] = body['data'] as Json[]
    expect(first).toMatchObject({ markdown: '# ä', extract: { a: 1 }, llm_extraction: { a: 1 } })
    expect(first).not.toHaveProperty('json')
    expect(first?.['metadata']).not.toHaveProperty('url')
  })

  test.each(both)('in %s is read on with the next of a %s, and has none at the end', async (version, kind) => {
    const { engine, get } = opened()
    const job = engine.start()
    const names = ['a', 'b', 'c', 'd', 'e']
    job.add(...names.map((name) => documentOf(name)))
    job.finish('completed')
    const read: unknown[] = []
    let path: string | undefined = `/${version}/${kind}/${job.id}?limit=2`
    for (; path !== undefined;) {
      const { body } = await get(path)
      read.push(...(body['data'] as Json[]).map((one) => one['markdown']))
      const next = body['next'] as string | undefined
      expect(next ?? `${base}/${version}/${kind}/&limit=2`).toMatch(/&limit=2$/)
      expect(next ?? base).toContain(next === undefined ? base : `${base}/${version}/${kind}/`)
      path = next?.slice(base.length)
    }
    expect(read).toEqual(names.map((name) => `# ${name}`))
  })

  test.each(versions)('in %s has at most a hundred documents unless told otherwise', async (version) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.add(...Array.from({ length: 150 }, (_, index) => documentOf(String(index))))
    job.finish('completed')
    const count = async (query: string) =>
      ((await get(`/${version}/crawl/${job.id}${query}`)).body['data'] as Json[]).length
    expect(await count('')).toBe(100)
    expect(await count('?limit=120')).toBe(120)
    expect(await count('?skip=100')).toBe(50)
    expect(await count('?skip=200')).toBe(0)
  })

  test.each(versions)('in %s is told to who reads on at its end when there is something new', async (version) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.add(documentOf('a'))
    let isAnswered = false
    const asking = get(`/${version}/crawl/${job.id}?skip=1`).then((answer) => {
      isAnswered = true
      return answer
    })
    await expect.poll(() => job.listeners).toBe(1)
    expect(isAnswered).toBe(false)
    job.add(documentOf('b'))
    expect((await asking).body['data']).toMatchObject([{ markdown: '# b' }])
    // Who does not read on is answered at once.
    expect((await get(`/${version}/crawl/${job.id}`)).body['data']).toHaveLength(2)
  })

  test.each([
    ['skip=-1', 'skip must be at least 0, but is "-1".'],
    ['skip=one', 'skip'],
    ['skip=1.5', 'skip'],
    ['limit=0', 'limit must be at least 1, but is "0".'],
    ['limit=1001', 'limit must be at most 1000, but is "1001".'],
    ['limit=all', 'limit'],
  ])('in version 2 refuses %s, which version 1 lets be', async (query, error) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.add(documentOf('a'))
    job.finish('completed')
    for (const kind of kinds) {
      const refused = await get(`/v2/${kind}/${job.id}?${query}`)
      expect(refused.status).toBe(400)
      expect(refused.body['error']).toContain('Invalid pagination: ')
      expect(refused.body['error']).toContain(error)
      expect((await get(`/v1/${kind}/${job.id}?${query}`)).body).toMatchObject({ status: 'completed', data: [{}] })
    }
  })

  test.each(both)('in %s tells of a %s that never began as of a failure', async (version, kind) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.finish('failed', 'The start page could not be loaded.')
    const { status, body } = await get(`/${version}/${kind}/${job.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: false,
      status: 'failed',
      error: 'The start page could not be loaded.',
      completed: 0,
      total: 0,
      creditsUsed: 0,
      data: [],
    })
    expect(body).not.toHaveProperty('warning')
  })

  test.each(versions)('in %s that failed later is still read', async (version) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.add(documentOf('a'))
    job.finish('failed', 'The store is full.')
    const { body } = await get(`/${version}/crawl/${job.id}`)
    expect(body).toMatchObject({ success: true, status: 'failed', error: 'The store is full.', data: [{}] })
  })
})

describe('A job that is not there', () => {
  test.each(both)('is told so in %s by every address of a %s', async (version, kind) => {
    const { engine, get, remove } = opened(fakeEngine(), { authenticate: apiKeys('one:k1,two:k2')! })
    const foreign = engine.start({ team: 'one' }).id
    const headers = { authorization: 'Bearer k2' }
    const path = `/${version}/${kind}`
    for (const id of [someId, foreign]) {
      const answers = [
        get(`${path}/${id}`, headers),
        remove(`${path}/${id}`, headers),
        get(`${path}/${id}/errors`, headers),
      ]
      for (const { status, body } of await Promise.all(answers)) {
        expect(status).toBe(404)
        expect(body).toEqual({ success: false, code: 'NOT_FOUND', error: 'Job not found' })
      }
    }
    expect((await engine.running.get(foreign)?.job.status())?.status).toBe('scraping')
    const { status, body } = await get(`${path}/latest`, headers)
    expect(status).toBe(400)
    expect(body['error']).toBe('Invalid job ID format. Job ID must be a valid UUID.')
  })
})

describe('Ending a job', () => {
  test.each(both)('in %s works once under /%s', async (version, kind) => {
    const { engine, remove } = opened()
    const job = engine.start()
    const path = `/${version}/${kind}/${job.id}`
    expect(await remove(path)).toEqual({ status: 200, body: { success: true, status: 'cancelled' } })
    expect(await remove(path)).toEqual({
      status: 409,
      body: { success: false, code: 'CONFLICT', error: 'Crawl is already cancelled' },
    })
    const done = engine.start()
    done.finish('completed')
    const late = await remove(`/${version}/${kind}/${done.id}`)
    expect(late).toMatchObject({ status: 409, body: { error: 'Crawl is already completed' } })
  })
})

describe('The errors of a job', () => {
  const error = { id: someId, timestamp: '2026-01-01T00:00:00.000Z', url: 'https://a.test/x' }

  test.each(both)('are listed in %s for a %s, in the words of the API', async (version, kind) => {
    const { engine, get } = opened()
    const job = engine.start()
    job.fail({ ...error, code: 'timeout', error: 'The page did not load in 30000 ms.' })
    job.fail({ ...error, code: 'internal', error: 'Cannot read properties of undefined' })
    const { status, body } = await get(`/${version}/${kind}/${job.id}/errors`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      errors: [
        { ...error, code: 'SCRAPE_TIMEOUT', error: 'The page did not load in 30000 ms.' },
        { ...error, code: 'UNKNOWN_ERROR', error: expect.stringContaining('unexpected') },
      ],
      robotsBlocked: [],
    })
  })

  test('may be asked for with DELETE in version 1, which ends nothing', async () => {
    const { engine, remove, get } = opened()
    const job = engine.start()
    for (const kind of kinds) {
      const { status, body } = await remove(`/v1/${kind}/${job.id}/errors`)
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, errors: [], robotsBlocked: [] })
      expect((await remove(`/v2/${kind}/${job.id}/errors`)).status).toBe(405)
    }
    expect((await get(`/v1/crawl/${job.id}`)).body['status']).toBe('scraping')
  })
})

describe('The crawls that run', () => {
  test.each(versions.flatMap((version) => [`/${version}/crawl/active`, `/${version}/crawl/ongoing`]))(
    'are listed at %s, and nothing else',
    async (path) => {
      const { engine, get } = opened(fakeEngine(), { authenticate: apiKeys('one:k1,two:k2')! })
      const job = engine.start({ team: 'one', request: { sitemap: 'skip', webhook: 'secret' } })
      engine.start({ team: 'one', kind: 'batch' })
      engine.start({ team: 'two' })
      engine.start({ team: 'one' }).finish('completed')
      const { status, body } = await get(path, { authorization: 'Bearer k1' })
      expect(status).toBe(200)
      const options = path.startsWith('/v2')
        ? { sitemap: 'skip' }
        : { allowBackwardLinks: false, ignoreSitemap: true, scrapeOptions: {} }
      expect(body).toEqual({
        success: true,
        crawls: [
          { id: job.id, teamId: 'one', url: 'https://a.test/', created_at: '2026-01-01T00:00:00.000Z', options },
        ],
      })
    },
  )
})

describe('A word that is no id', () => {
  test.each(
    versions.flatMap((version) => [
      ['DELETE', `/${version}/crawl/active`],
      ['DELETE', `/${version}/crawl/ongoing`],
    ]),
  )('is not taken for one by %s %s', async (method, path) => {
    const response = await createApi(fakeEngine())(new Request(`http://localhost${path}`, { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is not taken for one by a method that only the path of an id has', async () => {
    const response = await createApi(fakeEngine())(new Request('http://localhost/v2/crawl/params-preview'))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('The memory of the documents of an answer', () => {
  const big = { ...documentOf('https://a.test/'), markdown: 'x'.repeat(1_000_000) }

  async function served(count: number) {
    const engine = fakeEngine()
    const job = engine.start()
    job.add(...Array.from({ length: count }, () => big))
    job.finish('completed')
    const server = await serve(createApi(engine), { port: 0 })
    onTestFinished(() => server.close())
    return { job, url: (version: string) => `${server.url}/${version}/crawl/${job.id}` }
  }

  test.each(versions)('is given back in %s when all of it was sent, and not before', async (version) => {
    const { job, url } = await served(9)
    const { data } = (await (await fetch(url(version))).json()) as { data: unknown[] }
    expect(data).toHaveLength(9)
    expect(JSON.stringify(data[8])).toContain(big.markdown)
    await expect.poll(() => job.freed).toBe(1)
  })

  test('is left alone when the reader goes away before, since the socket may still hold it', async () => {
    const { job, url } = await served(9)
    const leave = new AbortController()
    const response = await fetch(url('v2'), { signal: leave.signal })
    expect(job.freed).toBe(0)
    leave.abort()
    await expect(response.text()).rejects.toThrow(/abort/i)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(job.freed).toBe(0)
  })
})
