import { defineFormat, defineLoader, defineParser, definePlugin } from '@harvestman/core/plugin'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { storeLedger } from '@harvestman/coordination'
import { createEngine } from './engine.ts'
import type { Store } from '@harvestman/ports'
import type { Engine } from './types.ts'
import { staticProxies } from '@harvestman/net'
import { memoryStore } from '@harvestman/embedded'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
const allowPrivate = ['127.0.0.0/8', '::1/128']
const team = 'acme'

describe('the credits of a scrape', () => {
  test('are taken when it succeeds, and given back when it fails', async () => {
    await using engine = createEngine({ allowPrivate })
    await engine.ledger.grant({ team, credits: 10, id: 'one' })
    await engine.scrape({ url: `${site.url}/` }, { team, key: 'k' })
    await expect(engine.scrape({ url: 'http://127.0.0.1:1/' }, { team })).rejects.toThrow()
    const { credits, held, used, months } = await engine.usage({ team })
    expect([credits, held, used]).toEqual([9, 0, 1])
    expect(Object.values(months)).toEqual([{ k: 1 }])
  })

  test('must be there before anything is asked of the host', async () => {
    await using engine = createEngine({ allowPrivate })
    await engine.ledger.grant({ team, credits: 1, id: 'one' })
    await engine.scrape({ url: `${site.url}/` }, { team })
    const asked = site.seen.length
    await expect(engine.scrape({ url: `${site.url}/` }, { team })).rejects.toMatchObject({
      code: 'insufficient_credits',
    })
    await expect(engine.crawl({ url: `${site.url}/` }, { team })).rejects.toMatchObject({
      code: 'insufficient_credits',
    })
    await expect(engine.map({ url: `${site.url}/` }, { team })).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(site.seen.length).toBe(asked)
    expect((await engine.scrape({ url: `${site.url}/` })).metadata.creditsUsed).toBe(1)
  })

  test.each([
    ['with a bound', 10],
    ['without one', 0],
  ])('of a map are one, however many pages it looks at, for a team %s', async (_, credits) => {
    await using engine = createEngine({ allowPrivate })
    if (credits > 0) await engine.ledger.grant({ team, credits, id: 'one' })
    const { links } = await engine.map({ url: `${site.url}/good/article`, sitemap: 'skip' }, { team })
    expect(links.length).toBeGreaterThan(1)
    await engine.map({ url: `${site.url}/slow/delay?ms=1` }, { team })
    expect(await engine.usage({ team })).toMatchObject({ used: 2, held: 0 })
  })

  test('that is cancelled are given back', async () => {
    await using engine = createEngine({ allowPrivate })
    await engine.ledger.grant({ team, credits: 10, id: 'one' })
    const stop = new AbortController()
    const scraping = engine.scrape({ url: `${site.url}/slow` }, { team, signal: stop.signal })
    stop.abort()
    await expect(scraping).rejects.toThrow()
    await expect.poll(async () => (await engine.usage({ team })).held).toBe(0)
    expect(await engine.usage({ team })).toMatchObject({ credits: 10, used: 0 })
  })

  test('that turn out to be more than there are fail it, and cost nothing', async () => {
    const dear = defineFormat({
      type: 'dear',
      needs: {},
      derive: (_, { use }) => (use({ inputTokens: 500, outputTokens: 0 }), 'x'),
      credits: (_, { inputTokens }) => inputTokens / 10,
    })
    await using engine = createEngine({ allowPrivate, plugins: [definePlugin({ name: 'dear', formats: [dear] })] })
    await engine.ledger.grant({ team, credits: 20, id: 'one' })
    const request = { url: `${site.url}/`, formats: ['dear'] } as const
    await expect(engine.scrape(request, { team })).rejects.toMatchObject({
      code: 'insufficient_credits',
      details: { needed: 51 },
    })
    expect(await engine.usage({ team })).toMatchObject({ credits: 20, held: 0, used: 0 })
    expect(engine.preview('scrape', request)).toEqual({ min: 1, expected: 1, reasons: expect.anything() })
  })
})

test('an engine that is given a ledger pays there', async () => {
  const ledger = storeLedger(memoryStore())
  await using engine = createEngine({ allowPrivate, ledger })
  await engine.scrape({ url: `${site.url}/` }, { team })
  expect(await ledger.account(team)).toMatchObject({ used: 1, held: 0 })
})

test.each([
  [1, 2],
  [3, 0],
])('the pages of a job keep to the %i that its team may have at once', async (concurrency, held) => {
  await using engine = createEngine({ allowPrivate })
  const urls = [1, 2, 3].map((number) => `${site.url}/slow/delay?ms=30&${number}`)
  const batch = await engine.batch({ urls }, { team, limits: { concurrency } })
  await batch.end()
  const waited = []
  for await (const { metadata } of batch.documents()) if (metadata['concurrencyLimited'] === true) waited.push(metadata)
  expect(waited).toHaveLength(held)
})

test('a page of a job says when it waited for its team to have a place, and for how long', async () => {
  await using engine = createEngine({ allowPrivate, limits: { teamConcurrency: 1 } })
  const urls = [1, 2, 3].map((number) => `${site.url}/slow/delay?ms=30&${number}`)
  const batch = await engine.batch({ urls }, { team })
  await batch.end()
  const waits: unknown[] = []
  for await (const { metadata } of batch.documents()) {
    const { concurrencyLimited, concurrencyQueueDurationMs } = metadata as Readonly<Record<string, unknown>>
    waits.push(concurrencyLimited)
    if (concurrencyLimited) expect(concurrencyQueueDurationMs).toBeGreaterThanOrEqual(1)
  }
  expect(waits.filter((waited) => waited === true)).toHaveLength(2)
})

describe('a preview', () => {
  const scheme = defineLoader({ name: 'archive', cost: 1, schemes: ['archive'], load: async () => ({ pass: 'no' }) })

  test.each([
    ['scrape', {}, 1, 1],
    ['map', {}, 1, 1],
    ['crawl', { limit: 40 }, 1, 40],
    ['crawl', { limit: 40, maxCredits: 7 }, 1, 7],
  ] as const)('of a %s with %o says the least and the most', (kind, options, min, max) => {
    const engine = createEngine({ plugins: [definePlugin({ name: 'archive', loaders: [scheme] })] })
    expect(engine.preview(kind, { url: 'https://example.com/', ...options })).toMatchObject({ min, max })
  })

  test('says why, part by part', () => {
    const engine = createEngine({
      proxies: staticProxies({ basic: [{ url: 'http://a.test:1' }], enhanced: [{ url: 'http://b.test:1' }] }),
    })
    const { min, max, reasons } = engine.preview('batch', {
      urls: ['https://a.test/', 'https://b.test/'],
      proxy: 'auto',
    })
    expect([min, max]).toEqual([2, 10])
    expect(reasons.map(({ what }) => what)).toEqual([
      '2 addresses, each',
      'A page',
      'An enhanced proxy, when the basic one fails',
    ])
  })

  test('expects one credit for an ordinary page, whatever a file of many pages or a retry costs at most', () => {
    const parser = defineParser({
      name: 'scans',
      accepts: ['x/scan'],
      maxUnits: () => 10_000,
      parse: () => '' as never,
    })
    const proxies = staticProxies({ basic: [{ url: 'http://a.test:1' }], enhanced: [{ url: 'http://b.test:1' }] })
    const engine = createEngine({ proxies, plugins: [definePlugin({ name: 'scans', parsers: [parser] })] })
    const url = 'https://a.test/'
    expect(engine.preview('scrape', { url, proxy: 'auto' })).toMatchObject({ min: 1, expected: 1, max: 10_004 })
    expect(engine.preview('batch', { urls: [url, `${url}b`] })).toMatchObject({ min: 2, expected: 2, max: 20_000 })
    expect(engine.preview('crawl', { url, limit: 30 })).toMatchObject({ min: 1, expected: 30 })
    expect(engine.preview('crawl', { url, limit: 30, maxCredits: 5 })).toMatchObject({ expected: 5, max: 5 })
  })

  test('from the team follows the scopes of the key', async () => {
    await using engine = createEngine()
    const url = 'https://example.com/'
    const preview = (kind: string, request: object, scopes: object): Promise<unknown> =>
      engine.team.preview({ kind, request: { url, ...request } }, { scopes: { groups: ['team'], ...scopes } })
    await expect(preview('scrape', {}, {})).rejects.toMatchObject({ code: 'scope_missing' })
    await expect(preview('crawl', {}, { groups: ['team', 'scrape'] })).rejects.toMatchObject({ code: 'scope_missing' })
    const markdown = { groups: ['team', 'scrape'], formats: ['markdown'] }
    await expect(preview('scrape', { formats: ['html'] }, markdown)).rejects.toMatchObject({ code: 'scope_missing' })
    await expect(preview('scrape', { formats: ['markdown'] }, markdown)).resolves.toMatchObject({ max: 1 })
  })

  test('refuses what the schema refuses', () => {
    expect(() => createEngine().preview('scrape', { url: 'no' })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })
})

describe('the concurrency of a team', () => {
  const held = async (engine: Pick<Engine, 'team'>) => (await engine.team.concurrency({ team })).concurrency

  test('counts single pages of all engines on the store, and no pages that wait', async () => {
    const store: Store = { ...memoryStore(), reach: 'shared' }
    await using one = createEngine({ allowPrivate, store })
    await using two = createEngine({ allowPrivate, store })
    const stop = new AbortController()
    const call = { team, signal: stop.signal, limits: { concurrency: 2 } }
    const pages = [1, 2, 3].map((number) =>
      one.scrape({ url: `${site.url}/slow/delay?ms=60000&single${number}` }, call),
    )
    const ended = Promise.allSettled(pages)
    await expect.poll(() => held(one)).toBe(2)
    await expect.poll(() => held(two), { timeout: 20_000 }).toBe(2)
    stop.abort()
    await ended
    await expect.poll(() => held(two), { timeout: 20_000 }).toBe(0)
  })

  test('counts the pages of jobs that are loading, and the queue the others', async () => {
    await using engine = createEngine({ allowPrivate })
    const urls = [1, 2, 3, 4, 5].map((number) => `${site.url}/slow/delay?ms=60000&job${number}`)
    const batch = await engine.batch({ urls, maxConcurrency: 2 }, { team })
    await expect.poll(() => held(engine)).toBe(2)
    expect(await engine.team.queue({ team })).toMatchObject({ jobsInQueue: 5, waitingJobsInQueue: 3 })
    await batch.cancel()
    await expect.poll(() => held(engine)).toBe(0)
  })
})
