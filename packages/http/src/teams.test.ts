// Teams over HTTP: who may do what, and how often.
import { createEngine } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { createApi } from './api.ts'
import { apiKeys, firstToKnow, teamKeys } from './auth.ts'
import { fakeEngine } from './fixtures/fake-engine.ts'

const adminKey = 'operator'

function setUp() {
  const engine = fakeEngine(() => ({ markdown: 'Text' }))
  const authenticate = firstToKnow(apiKeys('other:other-key'), teamKeys(engine.teams))
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
    const api = createApi(createEngine(), {})
    const request = new Request('http://localhost/admin/teams', { headers: { authorization: 'Bearer undefined' } })
    expect((await api(request)).status).toBe(401)
  })

  test('say what is wrong with a limit, and that there is no such team', async () => {
    const { ask } = setUp()
    expect((await ask('POST', '/admin/teams', adminKey, { id: 'a', limits: { concurrency: 0 } })).status).toBe(400)
    const missing = await ask('POST', '/admin/teams/none/keys', adminKey, {})
    expect(missing).toMatchObject({ status: 404, body: { error: 'There is no such team.' } })
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

  test('that is held to formats may ask for those alone, also in the pages of a crawl', async () => {
    const { ask, newKey, scrape } = setUp()
    const key = await newKey({ scopes: { formats: ['markdown', 'links'] } })
    expect((await scrape(key, { formats: ['markdown'] })).status).toBe(200)
    expect((await scrape(key, { formats: ['links', { type: 'html' }] })).body['error']).toContain('html')
    const crawl = { url: 'https://example.com', scrapeOptions: { formats: ['rawHtml'] } }
    expect((await ask('POST', '/v2/crawl', key, crawl)).status).toBe(403)
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
