// What must hold of teams, keys and kept pages, each against a real server or a real engine.
import { hash } from 'node:crypto'

import { createEngine, type Engine } from '@harvestman/core'
import { apiKeys, createApi, combineAuth, serve, teamKeys } from '@harvestman/http'
import { hosting } from '@harvestman/hosting'
import { lineLog } from '@harvestman/telemetry'
import { memoryStore, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const allowPrivate = ['127.0.0.0/8']
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

/** Asks an API in place, by a key. */
function asking(engine: Engine, options: Parameters<typeof createApi>[1] = {}) {
  const api = createApi(engine, options)
  return async (method: string, path: string, authorization?: string, body?: object) => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
    }
    return api(new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
  }
}

describe('An id of another team', () => {
  test('is answered like one that is none, to the byte, where it is not refused in words', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const ask = asking(engine, { authenticate: apiKeys('one:key-one,two:key-two') })
    const { id } = await engine.crawl({ url: `${site.url}/good/docs`, limit: 1 }, { team: 'one' })
    for (const path of ['/v2/crawl/', '/v1/crawl/', '/v2/batch/scrape/', '/v2/extract/']) {
      const [foreign, none] = await Promise.all(
        [id, crypto.randomUUID()].map((one) => ask('GET', path + one, 'Bearer key-two')),
      )
      expect([foreign?.status, await foreign?.text()]).toEqual([none?.status, await none?.text()])
    }
  })

  test('is not found by guessing beside it', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const { id } = await engine.crawl({ url: `${site.url}/good/docs`, limit: 1 }, { team: 'one' })
    const { metadata } = await engine.scrape({ url: `${site.url}/good/docs` }, { team: 'one', keep: true })
    let found = 0
    for (let guess = 0; guess < 2_000; guess += 1) {
      const random = crypto.randomUUID()
      // The time in the id of a job is known; the rest is not.
      const job = id.slice(0, 15) + random.slice(15)
      const tries = [engine.jobs.find(job, { team: 'one' }), engine.results.find(random, { team: 'one' })]
      for (const result of await Promise.allSettled(tries)) if (result.status === 'fulfilled') found += 1
    }
    expect(found).toBe(0)
    expect([id, metadata.scrapeId].map((one) => one.length)).toEqual([36, 36])
  })
})

describe('A kept page', () => {
  const path = '/echo'
  const request = () => ({ url: site.url + path, formats: ['rawHtml' as const] })
  const shop = { cookie: 'session=of-one' }

  test.each([
    ['with headers of its own', { headers: { 'x-forwarded-host': 'evil.example' } }],
    ['with cookies', { headers: shop }],
    ['with storeInCache: false', { storeInCache: false }],
    ['with zeroDataRetention', { zeroDataRetention: true }],
  ])('is not there for a scrape %s, to no team', async (_, options) => {
    await using engine = createEngine({ allowPrivate, store: memoryStore() })
    await engine.unchecked.scrape({ ...request(), ...options }, { team: 'one' })
    for (const team of ['one', 'two']) {
      const { metadata, rawHtml } = await engine.unchecked.scrape({ ...request(), maxAge: 600_000 }, { team })
      expect(metadata.cacheState).toBe('miss')
      expect(JSON.stringify(rawHtml)).not.toMatch(/evil|of-one/)
    }
  })

  test('is served to its own team for the very same look alone: sixty-four looks, sixty-four visits', async () => {
    await using engine = createEngine({ allowPrivate, store: memoryStore() })
    const both = [true, false]
    const looks = ['US', 'DE', 'FR', 'JP'].flatMap((country) =>
      [['en'], ['de'], ['de', 'en'], ['en', 'de']].flatMap((languages) =>
        both.flatMap((blockAds) =>
          both.map((skipTlsVerification) => ({ location: { country, languages }, blockAds, skipTlsVerification })),
        ),
      ),
    )
    expect(looks).toHaveLength(64)
    const states = async (team: string) => {
      const found: unknown[] = []
      for (const look of looks) {
        const { metadata } = await engine.unchecked.scrape({ ...request(), ...look, maxAge: 600_000 }, { team })
        found.push(metadata.cacheState)
      }
      return found
    }
    expect(new Set(await states('one'))).toEqual(new Set(['miss']))
    expect(new Set(await states('one'))).toEqual(new Set(['hit']))
    expect(new Set(await states('two'))).toEqual(new Set(['miss']))
  })

  test('that was asked for with a header which changes the answer is not given to who sends none', async () => {
    await using engine = createEngine({ allowPrivate, store: memoryStore() })
    const asked = { url: `${site.url}${path}?poison`, formats: ['rawHtml' as const], maxAge: 600_000 }
    await engine.unchecked.scrape({ ...asked, headers: { 'accept-language': 'xx-evil' } }, { team: 'one' })
    const clean = await engine.unchecked.scrape(asked, { team: 'one' })
    expect(JSON.stringify(clean)).not.toContain('xx-evil')
    const again = await engine.unchecked.scrape(
      { ...asked, headers: { 'accept-language': 'xx-evil' } },
      { team: 'one' },
    )
    expect(JSON.stringify(again)).toContain('xx-evil')
  })
})

describe('The history of a page', () => {
  test('is of its team and tag, and a scrape with zeroDataRetention leaves the store as it was', async () => {
    const store = memoryStore()
    await using engine = createEngine({ allowPrivate, store })
    const url = `${site.url}/good/article`
    const look = (team: string, tag?: string, more: object = {}) =>
      engine.unchecked.scrape(
        { url, formats: ['markdown', { type: 'changeTracking', ...(tag && { tag }) }], ...more },
        { team },
      )
    expect((await look('one')).changeTracking).toMatchObject({ changeStatus: 'new' })
    expect((await look('one')).changeTracking).toMatchObject({ changeStatus: 'same' })
    expect((await look('one', 'daily')).changeTracking).toMatchObject({ changeStatus: 'new' })
    expect((await look('two')).changeTracking).toMatchObject({ changeStatus: 'new' })
    const kept = async () => {
      const all: string[] = []
      for await (const entries of store.scan?.('') ?? []) {
        for (const { key, value } of entries) all.push(`${key} ${hash('sha256', JSON.stringify(value))}`)
      }
      // How much was used is kept, and nothing else.
      return all.filter((entry) => !entry.startsWith('ledger/')).toSorted()
    }
    const before = await kept()
    expect(before.length).toBeGreaterThan(0)
    await look('one', undefined, { zeroDataRetention: true })
    await engine.unchecked.scrape(
      { url: `${site.url}/good/docs`, zeroDataRetention: true },
      { team: 'three', keep: true },
    )
    expect(await kept()).toEqual(before)
  })
})

describe('A key', () => {
  test.each([
    undefined,
    'Bearer',
    'Bearer nobody',
    'Bearer key-one key-one',
    'Bearer Bearer key-one',
    'Basic a2V5LW9uZQ==',
    'key-one',
    'Bearer key-one\u00e9',
  ])('that is %j opens nothing, and the answer names the scheme', async (authorization) => {
    await using engine = createEngine()
    const ask = asking(engine, { authenticate: apiKeys('one:key-one') })
    const answer = await ask('GET', '/v2/team/credit-usage', authorization)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('that was revoked by another process on the same store opens nothing a second later', async () => {
    const store = memoryStore()
    const clock = { skew: 0, now: () => Date.now() + clock.skew, sleep: () => new Promise<void>(() => undefined) }
    await using serving = createEngine({ store, clock, plugins: [hosting()] })
    await using operating = createEngine({ store: { ...store, close: async () => undefined }, plugins: [hosting()] })
    await operating.teams.create({ id: 'acme' })
    const { key, info } = await operating.teams.createKey('acme')
    const ask = asking(serving, { authenticate: teamKeys(serving.teams) })
    const status = async () => (await ask('GET', '/v2/team/credit-usage', `Bearer ${key}`)).status
    expect(await status()).toBe(200)
    await operating.teams.revokeKey('acme', info.id)
    clock.skew = 1_000
    expect(await status()).toBe(401)
  })

  test('is in no line of the log, however often it is used', async () => {
    const lines: string[] = []
    await using engine = createEngine({
      plugins: [hosting()],
      observer: lineLog({ level: 'debug', write: (line) => void lines.push(line) }),
    })
    await engine.teams.create({ id: 'acme' })
    const { key } = await engine.teams.createKey('acme')
    const ask = asking(engine, {
      authenticate: combineAuth(apiKeys('one:secret-of-the-environment'), teamKeys(engine.teams)),
    })
    for (let asked = 0; lines.length < 1_000; asked += 1) {
      const which = asked % 2 === 0 ? key : 'secret-of-the-environment'
      // Refused before anything is asked of the network.
      const url = `http://me:${which}@10.0.0.1/?api_key=${which}`
      await ask('POST', '/v2/scrape', `Bearer ${which}`, { url, headers: { cookie: `id=${which}` } })
    }
    const all = lines.join('')
    expect(all).not.toContain(key)
    expect(all).not.toContain(key.slice(-43))
    expect(all).not.toContain('secret-of-the-environment')
  })
})

describe('A server without a key', () => {
  test('listens to this machine alone, and says what to do for more', async () => {
    await using engine = createEngine()
    const api = createApi(engine)
    for (const host of ['0.0.0.0', '::'])
      await expect(serve(api, { port: 0, host })).rejects.toThrow(/Configure an API key/)
    const server = await serve(api, { port: 0 })
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    await server.close()
  })
})

describe('A page in a browser', () => {
  test('of another origin reads nothing, and a name that was bound to this machine is refused', async () => {
    await using engine = createEngine()
    const api = createApi(engine)
    const foreign = await api(
      new Request('http://localhost/v2/team/activity', { headers: { origin: 'https://evil.example' } }),
    )
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    const rebound = await api(new Request('http://evil.example/v2/team/activity'))
    expect(rebound.status).toBe(403)
  })

  test('of this server shows nothing without a key', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const ask = asking(engine, { authenticate: apiKeys('one:key-one'), adminKey: 'operator' })
    for (const path of ['/v2/team/activity', '/v2/team/credit-usage', '/metrics', '/admin/teams', '/v2/crawl/active'])
      expect({ path, status: (await ask('GET', path)).status }).toEqual({ path, status: 401 })
  })
})

describe('A team over its limits', () => {
  test('is refused at once with Retry-After and costs the site nothing, while another team is served', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    for (const [id, requests] of [
      ['loud', 3],
      ['quiet', 1_000],
    ] as const)
      await engine.teams.create({ id, limits: { requestsPerMinute: { scrape: requests } } })
    const keys = await Promise.all(['loud', 'quiet'].map(async (id) => (await engine.teams.createKey(id)).key))
    const ask = asking(engine, { authenticate: teamKeys(engine.teams) })
    const scrape = (key = '') => ask('POST', '/v2/scrape', `Bearer ${key}`, { url: `${site.url}/good/docs` })
    const [loud, quiet] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => scrape(keys[0]))),
      Promise.all(Array.from({ length: 5 }, () => scrape(keys[1]))),
    ])
    expect(quiet.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200))
    const refused = loud.filter(({ status }) => status === 429)
    // A minute may begin in between.
    expect(refused.length).toBeGreaterThanOrEqual(24)
    for (const { headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(headers.get('x-ratelimit-remaining')).toBe('0')
    }
    const { used } = await engine.usage({ team: 'loud' })
    expect(used).toBe(30 - refused.length)
  })

  test('waits for its places up to its queue, and is refused beyond it', async () => {
    await using engine = createEngine({ allowPrivate, plugins: [hosting()] })
    const limits = { concurrency: 1, queue: 2 }
    const asked = Array.from({ length: 10 }, () =>
      engine.unchecked.scrape({ url: `${site.url}/slow/delay?ms=50`, timeout: 120_000 }, { team: 'loud', limits }),
    )
    const codes = (await Promise.allSettled(asked)).map((one) =>
      one.status === 'rejected' ? (one.reason as { readonly code: string }).code : 'given',
    )
    const many = (code: string, count: number): string[] => Array.from({ length: count }, () => code)
    expect(codes.toSorted()).toEqual([...many('given', 3), ...many('rate_limited', 7)])
    expect(
      (await engine.unchecked.scrape({ url: `${site.url}/good/docs` }, { team: 'quiet', limits })).metadata.statusCode,
    ).toBe(200)
  })
})
