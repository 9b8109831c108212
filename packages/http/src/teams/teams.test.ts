// Teams over HTTP: who may do what, and how often.
import { createEngine, EngineError, type KeyScopes, type TeamLimits } from '@harvestman/core'
import { hosting } from '@harvestman/hosting'
import { live } from '@harvestman/live'
import { handClock } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { apiKeys, combineAuth, teamKeys } from '../callers/auth.ts'
import type { ServedEngine } from '../route/engine.ts'
import { statuses } from '../refusals/errors.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const adminKey = 'operator'

function setUp(engine: ServedEngine = fakeEngine(() => ({ markdown: 'Text' }))) {
  const authenticate = combineAuth(apiKeys('other:other-key'), teamKeys(engine.teams))
  const api = createApi(engine, { authenticate, adminKey })
  const ask = async (method: string, path: string, key: string, body?: object) => {
    const response = await api(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }
  const newKey = async (options: object = {}, team: object = { id: 'acme' }): Promise<string> => {
    await ask('POST', '/admin/teams', adminKey, team)
    return (await ask('POST', '/admin/teams/acme/keys', adminKey, options)).body['key'] as string
  }
  const scrape = (key: string, more: object = {}) =>
    ask('POST', '/v2/scrape', key, { url: 'https://example.com', ...more })
  return { ask, newKey, scrape }
}

describe('The endpoints for operators', () => {
  test('create a team and a key that works, list both, and revoke the key', async () => {
    const { ask, newKey, scrape } = setUp()
    const key = await newKey({ name: 'laptop' })
    expect((await scrape(key)).status).toBe(200)
    const { body } = await ask('GET', '/admin/teams/acme/keys', adminKey)
    expect(body['keys']).toMatchObject([{ name: 'laptop', team: 'acme' }])
    expect(JSON.stringify(body)).not.toContain(key)
    expect((await ask('GET', '/admin/teams', adminKey)).body['teams']).toMatchObject([{ id: 'acme' }])
    const [{ id }] = body['keys'] as [{ id: string }]
    expect((await ask('DELETE', `/admin/teams/acme/keys/${id}`, adminKey)).body).toEqual({
      success: true,
      revoked: true,
    })
  })

  test.each(['wrong', 'other-key', ''])('do not answer another key: %j', async (key) => {
    const { ask } = setUp()
    expect((await ask('GET', '/admin/teams', key)).status).toBe(401)
  })

  test('are not answered where no key for them was set', async () => {
    const api = createApi(createEngine({ plugins: [hosting()] }), {})
    const request = new Request('http://localhost/admin/teams', { headers: { authorization: 'Bearer undefined' } })
    expect((await api(request)).status).toBe(401)
  })

  test('say what is wrong with a limit, and that there is no such team', async () => {
    const { ask } = setUp()
    expect((await ask('POST', '/admin/teams', adminKey, { id: 'a', limits: { concurrency: 0 } })).status).toBe(400)
    const missing = await ask('POST', '/admin/teams/none/keys', adminKey, {})
    expect(missing).toMatchObject({ status: 404, body: { error: 'This team does not exist.' } })
  })
})

describe('A key', () => {
  test('that is held to groups of endpoints opens those alone', async () => {
    const { ask, newKey, scrape } = setUp()
    const key = await newKey({ scopes: { groups: ['scrape'] } })
    expect((await scrape(key)).status).toBe(200)
    const refused = await ask('POST', '/v2/map', key, { url: 'https://example.com' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } })
  })

  test('of a team with a rate is told what is left, and refused beyond it, while other groups and teams go on', async () => {
    const { ask, newKey, scrape } = setUp()
    const key = await newKey({}, { id: 'acme', limits: { requestsPerMinute: { scrape: 2 } } })
    const first = await scrape(key)
    expect(first.headers.get('x-ratelimit-limit')).toBe('2')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
    await scrape(key)
    const third = await scrape(key)
    // A minute may begin between two of them.
    if (third.status === 200) await scrape(key)
    const refused = third.status === 200 ? await scrape(key) : third
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('POST', '/v2/map', key, { url: 'https://example.com' })).status).toBe(200)
    expect((await scrape('other-key')).status).toBe(200)
  })

  test('of a team that may begin few crawls may ask about them often, by a rate of its own', async () => {
    const { ask, newKey } = setUp()
    const key = await newKey({}, { id: 'acme', limits: { requestsPerMinute: { crawl: 1 } } })
    const begun = await ask('POST', '/v2/crawl', key, { url: 'https://example.com', limit: 1 })
    expect(begun).toMatchObject({ status: 200 })
    const id = String(begun.body['id'])
    for (const path of [`crawl/${id}`, `crawl/${id}/errors`, 'crawl/active', `batch/scrape/${id}`]) {
      const { status, headers } = await ask('GET', `/v2/${path}`, key)
      expect([path, status, headers.get('x-ratelimit-limit')]).toEqual([path, 200, '25000'])
    }
    expect((await ask('DELETE', `/v2/crawl/${id}`, key)).headers.get('x-ratelimit-limit')).toBe('25000')
  })

  test('of a team with a rate for asking is refused beyond it, and begins crawls still', async () => {
    const { ask, newKey } = setUp()
    const key = await newKey({}, { id: 'acme', limits: { requestsPerMinute: { status: 1 } } })
    const { id } = (await ask('POST', '/v2/crawl', key, { url: 'https://example.com', limit: 1 })).body
    // A minute may begin between two of them.
    const asked = [1, 2, 3].map(async () => (await ask('GET', `/v2/crawl/${String(id)}`, key)).status)
    expect(await Promise.all(asked)).toContain(429)
    expect((await ask('POST', '/v2/crawl', key, { url: 'https://example.com', limit: 1 })).status).toBe(200)
  })
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function realEngine() {
  const engine = createEngine({
    clock: handClock(),
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    fetcher: () => ({
      exchange: async () => ({
        status: 200,
        headers: [['content-type', 'text/html']],
        body: new TextEncoder().encode('<main><p>Some text that is long enough to stay.</p></main>'),
      }),
      close: async () => undefined,
    }),
    plugins: [
      hosting(),
      live({
        sessions: () => ({
          open: async () => Promise.reject(new EngineError('browser_failed', 'There is no browser in this test.')),
          close: async () => undefined,
        }),
      }),
    ],
  })
  closing.push(engine.close)
  return engine
}

describe('What a team may holds over HTTP as in process', () => {
  const url = 'https://example.com/'

  test('a key that is held to formats may ask for those alone, in any words, also in the pages of a crawl', async () => {
    const { ask, newKey, scrape } = setUp(realEngine())
    const key = await newKey({ scopes: { formats: ['markdown', 'links'] } })
    expect((await scrape(key, { formats: ['markdown'] })).status).toBe(200)
    const refused = await scrape(key, { formats: ['links', { type: 'html' }] })
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'SCOPE_MISSING', error: expect.stringContaining('html') },
    })
    for (const version of ['v1', 'v2']) {
      const scrapeOptions = { formats: ['rawHtml'] }
      expect((await ask('POST', `/${version}/scrape`, key, { url, ...scrapeOptions })).status).toBe(403)
      expect((await ask('POST', `/${version}/crawl`, key, { url, scrapeOptions })).status).toBe(403)
      expect((await ask('POST', `/${version}/batch/scrape`, key, { urls: [url], ...scrapeOptions })).status).toBe(403)
      expect((await ask('POST', `/${version}/map`, key, { url })).status).toBe(200)
    }
  })

  test('a request counts once: what is asked for over HTTP and in process is counted together', async () => {
    const engine = realEngine()
    const { newKey, scrape } = setUp(engine)
    const key = await newKey({}, { id: 'acme', limits: { requestsPerMinute: { scrape: 3 } } })
    expect((await scrape(key)).headers.get('x-ratelimit-remaining')).toBe('2')
    await engine.scrape({ url }, { team: 'acme' })
    expect((await scrape(key)).headers.get('x-ratelimit-remaining')).toBe('0')
    const { status, headers } = await scrape(key)
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([429, '3', '0'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    await expect(engine.scrape({ url }, { team: 'acme' })).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('a key of the configuration has the limits of its team', async () => {
    const engine = realEngine()
    const { ask, scrape } = setUp(engine)
    await engine.teams.create({ id: 'other', limits: { requestsPerMinute: { scrape: 1 }, browsers: 0 } })
    expect([(await scrape('other-key')).status, (await scrape('other-key')).status]).toEqual([200, 429])
    expect((await ask('POST', '/v2/browser', 'other-key', {})).body['code']).toBe('TOO_MANY_SESSIONS')
  })

  interface Case {
    readonly limits?: TeamLimits
    readonly scopes?: KeyScopes
    readonly credits?: number
    /** How often it may ask before. */
    readonly asked?: number
  }
  const cases: Readonly<Record<string, Case>> = {
    'that has asked as often as it may': { limits: { requestsPerMinute: { scrape: 1 } }, asked: 1 },
    'whose key is not for scrapes': { scopes: { groups: ['map'] } },
    'whose key is not for this format': { scopes: { formats: ['links'] } },
    'that has no credits': { credits: 1, asked: 1 },
  }

  test.each(Object.entries(cases))('a team %s is refused alike, and told so once by its activity', async (_, its) => {
    const { limits = {}, scopes, credits, asked = 0 } = its
    const answers = await Promise.all(
      (['http', 'process'] as const).map(async (way) => {
        const engine = realEngine()
        const { newKey, scrape } = setUp(engine)
        const key = await newKey({ ...(scopes && { scopes }) }, { id: 'acme', limits })
        if (credits) await engine.ledger.grant({ team: 'acme', credits, id: 'one' })
        const known = await engine.teams.verify(key)
        const once = () =>
          way === 'http'
            ? scrape(key).then(({ status, body }) => (status === 200 ? '' : String(body['code'])))
            : engine.scrape({ url }, known).then(
                () => '',
                (error: unknown) => (EngineError.is(error) ? statuses[error.code].code : String(error)),
              )
        for (let number = 0; number < asked; number += 1) expect(await once()).toBe('')
        const code = await once()
        const { data } = await engine.activity.list({}, { team: 'acme' })
        return { code, refused: data.map(({ refused }) => refused).filter((why) => why !== undefined) }
      }),
    )
    expect(answers[0]?.code).not.toBe('')
    expect(answers[0]?.refused).toHaveLength(1)
    expect(answers[0]).toEqual(answers[1])
  })
})
