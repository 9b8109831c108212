import { createEngine, EngineError, errorCodes, type ErrorCode } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { createApi, type ApiOptions } from './api.ts'
import { apiKeys } from '../callers/auth.ts'
import { statuses } from '../refusals/errors.ts'
import { fakeEngine, someId } from '../fixtures/fake-engine.ts'

const base = 'http://localhost:3002'

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Request(base + path, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

function get(path: string, headers: Record<string, string> = {}): Request {
  return new Request(base + path, { headers })
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>
}

function failing(code: ErrorCode, details = {}, options: ApiOptions = {}) {
  return createApi(
    fakeEngine(() => {
      throw new EngineError(code, `What went wrong: ${code}.`, { details })
    }),
    options,
  )
}

describe('A scrape', () => {
  test('of version 2 is answered with the document of the engine', async () => {
    const engine = fakeEngine()
    const response = await createApi(engine)(post('/v2/scrape', { url: 'a.test', formats: ['links'] }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await bodyOf(response)).toMatchObject({ success: true, data: { metadata: { sourceURL: 'http://a.test' } } })
    expect(engine.requests).toMatchObject([{ url: 'http://a.test', formats: [{ type: 'links' }] }])
  })

  test('is kept, and found again by its id', async () => {
    const api = createApi(fakeEngine(() => ({ markdown: '# A' })))
    const first = await bodyOf(await api(post('/v2/scrape', { url: 'a.test' })))
    expect(await bodyOf(await api(get(`/v2/scrape/${someId}`)))).toEqual(first)
    expect(await bodyOf(await api(get(`/v2/scrape/${someId.toUpperCase()}`)))).toEqual(first)
  })

  test('may carry the labels that clients of the public API add', async () => {
    const engine = fakeEngine()
    const body = { url: 'a.test', origin: 'js-sdk@4.42.0', integration: null, redactPII: false }
    for (const path of ['/v1/scrape', '/v2/scrape']) {
      expect((await createApi(engine)(post(path, body))).status).toBe(200)
    }
    expect(engine.requests.flatMap((request) => Object.keys(request))).not.toContain('origin')
  })

  test('that asks for what cannot be done says so instead of leaving it out', async () => {
    for (const [path, option] of [
      ['/v2/scrape', 'safeMode'],
      ['/v1/scrape', 'redactPII'],
    ] as const) {
      const response = await createApi(fakeEngine())(post(path, { url: 'a.test', [option]: true }))
      expect(response.status).toBe(400)
      expect(await bodyOf(response)).toMatchObject({
        success: false,
        code: 'NOT_CONFIGURED',
        error: expect.stringContaining(option),
      })
    }
  })

  test('of version 2 may ask for redaction of what can be found, and of nothing else', async () => {
    const engine = fakeEngine()
    const api = createApi(engine)
    const scrape = async (redactPII: unknown) => api(post('/v2/scrape', { url: 'a.test', redactPII }))
    expect((await scrape(true)).status).toBe(200)
    expect((await scrape({ entities: ['EMAIL'], replaceStyle: 'mask' })).status).toBe(200)
    expect(engine.requests.map(({ redactPII }) => redactPII)).toEqual([
      { mode: 'accurate', entities: ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'], replaceStyle: 'tag' },
      { mode: 'accurate', entities: ['EMAIL'], replaceStyle: 'mask' },
    ])
    for (const [wrong, named] of [
      [{ entities: ['PERSON', 'LOCATION'] }, 'PERSON and LOCATION cannot be found'],
      [{ entities: ['SHOE_SIZE'] }, 'redactPII.entities[0]'],
      [{ mode: 'off' }, 'redactPII.mode'],
      [{ only: 'EMAIL' }, 'redactPII.only'],
      ['yes', 'redactPII'],
    ] as const) {
      const response = await scrape(wrong)
      expect(response.status).toBe(400)
      const { code, details } = await bodyOf(response)
      expect(code).toBe('BAD_REQUEST')
      expect(JSON.stringify(details)).toContain(named)
    }
  })

  test('that needs what the server lacks is told what its operator can do, where the operator has said it', async () => {
    const engine = createEngine()
    const asked = { url: 'https://a.test', formats: ['summary'] }
    const remedies = { llm: 'Set MODEL.', search: 'Set SEARCH.' }
    const said = async (options: object) =>
      (await bodyOf(await createApi(engine, options)(post('/v2/scrape', asked)))).error
    expect(await said({})).toBe('The format summary needs a language model. The operator of this server can add it.')
    expect(await said({ remedies })).toBe('The format summary needs a language model. Set MODEL.')
    await engine.close()
  })

  test('with an id that is none is told so, whatever the server lacks', async () => {
    const response = await createApi(fakeEngine())(post('/v2/scrape/latest/interact', { code: '1' }))
    const error = 'Invalid job ID format. Job ID must be a valid UUID.'
    expect([response.status, await bodyOf(response)]).toEqual([400, { success: false, error }])
  })

  test('is aborted when the caller has gone', async () => {
    const gone = new AbortController()
    let seen: AbortSignal | null | undefined
    const engine = fakeEngine((_, { signal }) => {
      seen = signal
      gone.abort()
      throw new EngineError('aborted', 'The caller cancelled the request.')
    })
    const request = new Request(post('/v2/scrape', { url: 'a.test' }), { signal: gone.signal })
    const response = await createApi(engine)(request)
    expect(seen?.aborted).toBe(true)
    expect(response.status).toBe(499)
  })
})

describe('What is wrong with a request', () => {
  test.each([
    [{}, /^url is required/],
    [{ url: 'a.test', timeout: 1 }, /^timeout must be at least 1000, but is 1/],
    [{ url: 'a.test', formats: ['text'] }, /^formats\.0 is "text"; use one of/],
    [{ url: 'a.test', waitfor: 1, timeout: 1 }, /^Unrecognized key in body/],
    [{ url: 'a.test', waitFor: 20_000 }, /^waitFor must not exceed half of timeout/],
    [{ url: 'not-a-url' }, /valid top-level domain/],
  ])('is said as the public API says it: %j', async (body, says) => {
    for (const path of ['/v1/scrape', '/v2/scrape']) {
      const { error, details } = await bodyOf(await createApi(fakeEngine())(post(path, body)))
      expect(error).toMatch(says)
      expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]))
    }
  })
})

describe('A body', () => {
  test.each([
    ['{"url": ', 400, 'BAD_REQUEST_INVALID_JSON', /malformed JSON/],
    ['[]', 400, 'BAD_REQUEST', /must be an object/],
    ['"a.test"', 400, 'BAD_REQUEST', /must be an object/],
    ['', 400, 'BAD_REQUEST', /url is required/],
    ['{"url": "a.test", "__proto__": {}}', 400, 'BAD_REQUEST_INVALID_JSON', /__proto__/],
    ['{"url": "a.test", "headers": {"__proto__": "x"}}', 400, 'BAD_REQUEST_INVALID_JSON', /__proto__/],
    ['{"url": "a.test", "\\u005f_proto__": {}}', 400, 'BAD_REQUEST_INVALID_JSON', /__proto__/],
    [
      `{"url": ${'['.repeat(101)}${']'.repeat(101)}}`,
      413,
      'BODY_TOO_LARGE',
      /more than 100 levels of objects and lists.*Nest the values less deeply/,
    ],
    [`{"formats": [${'{},'.repeat(30_000)}{}]}`, 413, 'BODY_TOO_LARGE', /more than 30000 entries/],
    [`{${'"a":0,'.repeat(10_000)}"b":0}`, 413, 'BODY_TOO_LARGE', /more than 10000 keys/],
    ['{"url": "a.test", "timeout": 1e999}', 400, 'BAD_REQUEST', /timeout/],
    ['{"url": "a.test", "waitfor": 5}', 400, 'BAD_REQUEST', /waitfor is not a known key/],
  ])('that is %.40s is refused', async (text, status, code, says) => {
    for (const path of ['/v1/scrape', '/v2/scrape']) {
      const response = await createApi(fakeEngine())(post(path, text))
      expect(response.status).toBe(status)
      const { error, details = error, ...body } = await bodyOf(response)
      expect(body).toEqual({ success: false, code })
      expect(JSON.stringify(details)).toMatch(says)
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('that starts a batch has as many URLs as its schema allows', async () => {
    const urls = (count: number) => Array.from({ length: count }, (_, n) => `a.test/${n}`)
    const api = createApi(fakeEngine())
    expect((await api(post('/v2/batch/scrape', { urls: urls(100_000) }))).status).toBe(200)
    const refused = await api(post('/v2/batch/scrape', { urls: urls(140_000) }))
    expect(refused.status).toBe(413)
    expect((await bodyOf(refused)).error).toContain('more than 130000 entries')
  })

  test('that is wrong in many places lists each of them', async () => {
    const response = await createApi(fakeEngine())(
      post('/v2/scrape', { url: 7, timeout: 'soon', formats: ['pictures'] }),
    )
    const { details } = await bodyOf(response)
    expect(details).toEqual(
      ['url', 'timeout', 'formats'].map((field) =>
        expect.objectContaining({
          code: expect.any(String),
          path: expect.arrayContaining([field]),
          message: expect.stringContaining(field),
        }),
      ),
    )
  })

  test('of another type is refused with what to do', async () => {
    const form = post('/v2/scrape', 'url=a.test', { 'content-type': 'application/x-www-form-urlencoded' })
    const response = await createApi(fakeEngine())(form)
    expect(response.status).toBe(415)
    expect(await bodyOf(response)).toMatchObject({ error: expect.stringContaining('Content-Type: application/json') })
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json'])(
    'of type %s is read',
    async (type) => {
      const response = await createApi(fakeEngine())(post('/v2/scrape', { url: 'a.test' }, { 'content-type': type }))
      expect(response.status).toBe(200)
    },
  )

  test('larger than the limit is refused, whether or not it says its length', async () => {
    const api = createApi(fakeEngine(), { bodyBytes: 100 })
    const large = JSON.stringify({ url: `a.test/${'x'.repeat(100)}` })
    const announced = post('/v2/scrape', large, { 'content-length': String(large.length) })
    for (const request of [announced, post('/v2/scrape', large)]) {
      const response = await api(request)
      expect(response.status).toBe(413)
      expect(await bodyOf(response)).toMatchObject({
        code: 'BODY_TOO_LARGE',
        error: expect.stringContaining('100 bytes'),
      })
    }
  })

  test('that never ends is read up to the limit', async () => {
    let read = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        read += 1_000
        controller.enqueue(new Uint8Array(1_000).fill(32))
      },
    })
    const init: RequestInit = {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    }
    const response = await createApi(fakeEngine(), { bodyBytes: 10_000 })(new Request(`${base}/v2/scrape`, init))
    expect(response.status).toBe(413)
    expect(read).toBeLessThan(20_000)
  })
})

describe('A caller', () => {
  const open = (engine = fakeEngine()) => createApi(engine, { authenticate: apiKeys('one:key-1,two:key-2,key-3')! })
  const asked = post('/v2/scrape', { url: 'a.test' })

  test.each([
    [undefined, 'Unauthorized'],
    ['Bearer', 'Unauthorized: Token missing'],
    ['Bearer  ', 'Unauthorized: Token missing'],
    ['Basic a2V5LTE=', 'Unauthorized: Token missing'],
    ['Bearer nobody', 'Unauthorized: Invalid token'],
    ['Bearer key-1 key-1', 'Unauthorized: Token missing'],
    ['Bearer one:key-1', 'Unauthorized: Invalid token'],
  ])('who sends %s as authorization is told %s', async (authorization, error) => {
    const request = new Request(asked.clone())
    if (authorization) request.headers.set('authorization', authorization)
    const response = await open()(request)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await bodyOf(response)).toEqual({ success: false, code: 'UNAUTHORIZED', error })
  })

  test('is refused before the body is looked at', async () => {
    expect((await open()(post('/v2/scrape', '{'))).status).toBe(401)
    expect((await open()(get('/v2/scrape/7'))).status).toBe(401)
  })

  test('acts for the team of the key, and sees nothing of other teams', async () => {
    const api = open()
    const with1 = { authorization: 'Bearer key-1' }
    expect((await api(post('/v2/scrape', { url: 'a.test' }, with1))).status).toBe(200)
    for (const version of ['v1', 'v2']) {
      expect((await api(get(`/${version}/scrape/${someId}`, with1))).status).toBe(200)
      const foreign = await api(get(`/${version}/scrape/${someId}`, { authorization: 'bearer key-2' }))
      expect(foreign.status).toBe(403)
      expect(await bodyOf(foreign)).toEqual({
        success: false,
        code: 'FORBIDDEN',
        error: 'You are not allowed to access this resource.',
      })
    }
  })

  test('without a key is answered on the loopback only', async () => {
    const api = createApi(fakeEngine())
    for (const host of ['localhost', '127.0.0.1:3002', '127.8.8.8', '[::1]:3002', 'LOCALHOST:1']) {
      expect((await api(new Request(`http://${host}/v0/health/liveness`))).status).toBe(200)
    }
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1', '0.0.0.0']) {
      const response = await api(new Request(`http://${host}/v0/health/liveness?for=http://localhost/`))
      expect(response.status).toBe(403)
      expect(await bodyOf(response)).toMatchObject({ success: false, code: 'FORBIDDEN' })
    }
  })

  test('with a key may use any name of the server', async () => {
    const request = new Request('http://api.acme.test/v2/scrape', asked.clone())
    request.headers.set('authorization', 'Bearer key-3')
    expect((await open()(request)).status).toBe(200)
  })
})

describe('A path', () => {
  test.each(['/v2/scrape/7', '/v2/scrape/0198c7a1', '/v1/scrape/..%2f..%2fetc', `/v2/scrape/${someId}x`])(
    '%s names no job',
    async (path) => {
      const response = await createApi(fakeEngine())(get(path))
      expect(response.status).toBe(400)
      // Without a code, as the public API has it.
      const error = 'Invalid job ID format. Job ID must be a valid UUID.'
      expect(await bodyOf(response)).toEqual({ success: false, error })
    },
  )

  test('of an unknown job is not found', async () => {
    const response = await createApi(fakeEngine())(get(`/v2/scrape/${someId}`))
    expect(response.status).toBe(404)
    expect(await bodyOf(response)).toEqual({ success: false, code: 'NOT_FOUND', error: 'Job not found.' })
  })

  test.each(['/v3/scrape', '/v2', '/v2/scrapes', '/%', '/%E0%A4%A'])('%s is not found', async (path) => {
    const response = await createApi(fakeEngine())(get(path))
    expect(response.status).toBe(404)
    expect(await bodyOf(response)).toMatchObject({ success: false, code: 'NOT_FOUND' })
  })

  test.each(['/v2/monitor', '/v2/monitor/1/checks'])('%s names the plugin that an engine lacks', async (path) => {
    const response = await createApi(fakeEngine())(get(path))
    expect(response.status).toBe(503)
    const error = 'This server has no monitors. Its operator can add the plugin monitors() of @harvestman/monitors.'
    expect(await bodyOf(response)).toEqual({ success: false, code: 'NOT_CONFIGURED', error })
  })

  test('of a plugin that an engine lacks needs a key as any other, and is not described', async () => {
    const api = createApi(fakeEngine(), { authenticate: apiKeys('key') })
    expect((await api(get('/v2/monitor'))).status).toBe(401)
    expect((await api(new Request(`${base}/v2/monitor`, { method: 'PUT' }))).status).toBe(405)
    expect(await bodyOf(await api(get('/openapi.json')))).not.toHaveProperty(['paths', '/v2/monitor'])
  })

  test('may end in a slash', async () => {
    expect((await createApi(fakeEngine())(post('/v2/scrape/', { url: 'a.test' }))).status).toBe(200)
  })

  test('says which methods it takes when it is asked with another', async () => {
    const api = createApi(fakeEngine())
    for (const [method, path, allow] of [
      ['GET', '/v2/scrape', 'POST'],
      ['DELETE', '/v1/scrape', 'POST'],
      ['PUT', `/v2/scrape/${someId}`, 'GET, HEAD'],
      ['PROPFIND', '/health', 'GET, HEAD'],
    ]) {
      const response = await api(new Request(base + path, { method: method! }))
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe(allow)
      expect(await bodyOf(response)).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        error: expect.stringContaining(allow!),
      })
    }
  })

  test('answers HEAD like GET, without a body', async () => {
    const response = await createApi(fakeEngine())(new Request(`${base}/health`, { method: 'HEAD' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('json')
    expect(await response.text()).toBe('')
  })
})

describe('A page in a browser', () => {
  const preflight = (path = '/v2/scrape', origin = 'https://app.test') =>
    new Request(base + path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })

  test('may not use the API unless it is told so', async () => {
    const response = await createApi(fakeEngine())(preflight())
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('POST')
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('may when its origin is on the list', async () => {
    const api = createApi(fakeEngine(), { cors: ['https://app.test'] })
    const { headers } = await api(preflight())
    expect(headers.get('access-control-allow-origin')).toBe('https://app.test')
    expect(headers.get('access-control-allow-methods')).toBe('POST')
    expect(headers.get('access-control-allow-headers')).toContain('authorization')
    const answer = await api(post('/v2/scrape', { url: 'a.test' }, { origin: 'https://app.test' }))
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.test')
    expect(answer.headers.get('vary')).toBe('origin')
    const refused = await api(preflight('/v2/scrape', 'https://evil.test'))
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect(refused.headers.get('access-control-allow-methods')).toBeNull()
  })

  test('may from anywhere when everybody may', async () => {
    const api = createApi(fakeEngine(), { cors: '*' })
    expect((await api(preflight())).headers.get('access-control-allow-origin')).toBe('*')
    const wrong = await api(post('/v2/scrape', '{', { origin: 'https://app.test' }))
    expect(wrong.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('A failure', () => {
  test.each(Object.keys(errorCodes) as ErrorCode[])('of code %s has its status and code', async (code) => {
    const response = await failing(code)(post('/v2/scrape', { url: 'a.test' }))
    expect(response.status).toBe(statuses[code].status)
    const body = await bodyOf(response)
    expect(body).toMatchObject({ success: false, code: statuses[code].code, error: expect.any(String) })
  })

  test('that is unexpected says nothing of its inside, and is told to the operator', async () => {
    const faults: unknown[] = []
    const fault = new TypeError('secret /etc/passwd')
    const engine = fakeEngine(() => {
      throw fault
    })
    const api = createApi(engine, { onFault: (...told) => faults.push(told) })
    const response = await api(post('/v2/scrape', { url: 'a.test' }, { 'x-request-id': 'r-1' }))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/secret|passwd/)
    expect(faults).toEqual([[fault, 'r-1', 'request']])
  })

  test('shows only the details that callers may see', async () => {
    const details = { attempts: [{ loader: 'http' }], address: '10.0.0.1' }
    const response = await failing('loaders_failed', details)(post('/v2/scrape', { url: 'a.test' }))
    expect((await bodyOf(response))['details']).toEqual({ attempts: [{ loader: 'http' }] })
    const blocked = await failing('url_blocked', details)(post('/v2/scrape', { url: 'a.test' }))
    expect(await bodyOf(blocked)).not.toHaveProperty('details')
  })

  test('for want of a browser has the code of the public API when it is about actions', async () => {
    const api = failing('not_configured', { port: 'browser', because: 'The option actions', capability: 'actions' })
    const body = await bodyOf(await api(post('/v1/scrape', { url: 'a.test' })))
    expect(body).toMatchObject({ code: 'SCRAPE_ACTIONS_NOT_SUPPORTED', details: { port: 'browser' } })
  })

  test('that will pass says when to try again', async () => {
    const response = await failing('store_failed')(post('/v2/scrape', { url: 'a.test' }))
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('The id of a request', () => {
  test('is the one that the caller gave, or a new one', async () => {
    const api = createApi(fakeEngine())
    expect((await api(get('/health', { 'x-request-id': 'abc-1.2:3_4' }))).headers.get('x-request-id')).toBe(
      'abc-1.2:3_4',
    )
    const made = await Promise.all(
      [{}, { 'x-request-id': 'a b' }, { 'x-request-id': 'x'.repeat(129) }, { 'x-request-id': '<script>' }].map(
        async (headers) => (await api(get('/nowhere', headers))).headers.get('x-request-id'),
      ),
    )
    expect(new Set(made).size).toBe(4)
    for (const id of made) expect(id).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('The health', () => {
  const paths = ['/health', '/health/ready', '/v0/health/readiness']
  const alive = ['/health/live', '/v0/health/liveness']

  test.each([...paths, ...alive])('of a server that works is good at %s', async (path) => {
    const response = await createApi(fakeEngine(), { authenticate: apiKeys('key')! })(get(path))
    expect(response.status).toBe(200)
    expect(await bodyOf(response)).toMatchObject({ status: 'ok' })
  })

  test.each(paths)('of a server that cannot keep things is bad at %s, with the reason, and it lives', async (path) => {
    const details = { reason: 'full', file: '/secret/place' }
    const full = new EngineError('store_failed', 'The disk of /secret/place is full.', { details })
    const api = createApi({ ...fakeEngine(), checkStore: () => Promise.reject(full) })
    const response = await api(get(path))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await bodyOf(response)).toEqual({ status: 'unavailable', store: 'full' })
    for (const live of alive) expect((await api(get(live))).status).toBe(200)
  })

  test('says nothing of what a store says in its own words', async () => {
    const checkStore = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:6379'))
    const response = await createApi({ ...fakeEngine(), checkStore })(get('/health'))
    expect(await bodyOf(response)).toEqual({ status: 'unavailable', store: 'failed' })
  })

  test('asks the store once for all who ask at the same time', async () => {
    let asked = 0
    const engine = { ...fakeEngine(), checkStore: async () => void (asked += 1) }
    const api = createApi(engine)
    await Promise.all(Array.from({ length: 50 }, () => api(get('/health'))))
    expect(asked).toBe(1)
  })
})
