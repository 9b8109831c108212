// The threat protection of a team over HTTP: it applies to all of its requests, and to no other team.
import { scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const search = scriptedSearch({ web: () => [{ url: house.at('/good/article'), title: 'T', description: 'D' }] })
// An agent that should look around reads the page `/chosen`, and then ends. Others end at once.
const model = scriptedLLM([
  ({ prompt, turns = [], tools = [] }) => {
    if (tools.length === 0) return { value: { legs: 8 } }
    const told = prompt + JSON.stringify(turns)
    const reads = told.includes('Look around') && !told.includes('/chosen')
    return { calls: [reads ? { name: 'read', input: { url: house.at('/chosen') } } : { name: 'finish', input: {} }] }
  },
])
const house = openHouse('one:key-one,two:key-two', { search, llm: model })

const path = '/v2/team/threat-protection'
// Long, because a slow machine must not change what is tested.
const timeout = 200_000
const send = (method: string, to: string, body?: object, key = 'key-one') =>
  askServer(house, method, to, { ...(body && { body }), headers: { authorization: `Bearer ${key}` } })
const post = (to: string, body: object, key?: string) => send('POST', to, body, key)

const none = { mode: 'off', blacklist: [], whitelist: [], blockedTlds: [] }
const same = { riskScoreThreshold: 75, failurePolicy: 'closed' }
const blocking = { ...none, mode: 'manual-only', blacklist: ['127.0.0.1'] }

afterEach(async () => {
  await send('PUT', path, none)
})

test('A policy is stored by team, and replaced as a whole', async () => {
  expect((await send('GET', path, undefined, 'key-two')).body).toEqual({
    success: true,
    data: { ...none, ...same, allowRequestOverrides: true, configured: false },
  })
  const set = await send('PUT', path, { ...blocking, allowRequestOverrides: false })
  const data = { ...blocking, ...same, allowRequestOverrides: false, configured: true }
  expect([set.status, set.body]).toEqual([200, { success: true, data }])
  expect((await send('GET', path)).body).toEqual({ success: true, data })
  expect((await send('PUT', path, data)).body).toEqual({ success: true, data })
  expect((await send('PUT', path, { blockedTlds: ['zip'] })).body.data).toMatchObject({
    blacklist: [],
    mode: 'manual-only',
  })
})

test.each([
  [{ mode: 'normal' }, /classifier/],
  [{ blacklist: ['https://a.test/'] }, /https:\/\/a\.test\//],
  [{ lists: [] }, /Unrecognized key/],
])('A policy of %j is refused', async (policy, words) => {
  const { status, body } = await send('PUT', path, policy)
  expect([status, body.code, body.error]).toEqual([400, 'BAD_REQUEST', expect.stringMatching(words)])
})

describe('A policy that blocks the host applies to', () => {
  test.each([
    ['a scrape', '/v2/scrape', (url: string) => ({ url, timeout })],
    ['a scrape of version 1', '/v1/scrape', (url: string) => ({ url, timeout })],
    ['a map', '/v2/map', (url: string) => ({ url, timeout })],
    ['a crawl', '/v2/crawl', (url: string) => ({ url })],
    ['a batch', '/v2/batch/scrape', (url: string) => ({ urls: [url] })],
    ['an extract', '/v2/extract', (url: string) => ({ urls: [url], prompt: 'legs' })],
    ['an agent', '/v2/agent', (url: string) => ({ urls: [url], prompt: 'legs' })],
  ])('%s, not to that of another team', async (_, to, bodyOf) => {
    await send('PUT', path, blocking)
    const request = bodyOf(house.at('/good/article'))
    const { status, body } = await post(to, request)
    expect([status, body.success, body.error]).toEqual([403, false, expect.stringContaining('(blacklist)')])
    expect((await post(to, request, 'key-two')).status).toBe(200)
  })

  test('a search, whose results of blocked hosts are removed', async () => {
    await send('PUT', path, blocking)
    const found = async (key?: string) => (await post('/v2/search', { query: 'legs' }, key)).body.data
    expect(JSON.stringify(await found())).not.toContain('/good/article')
    expect(JSON.stringify(await found('key-two'))).toContain('/good/article')
  })

  test('the invalid URLs of a lenient batch', async () => {
    await send('PUT', path, blocking)
    const urls = [house.at('/good/article')]
    const { body } = await post('/v2/batch/scrape', { urls: [...urls, 'https://a.test/'], ignoreInvalidURLs: true })
    expect(body.invalidURLs).toEqual(urls)
  })

  test('the pages that an agent chooses itself', async () => {
    await send('PUT', path, blocking)
    const run = async (key: string): Promise<void> => {
      const { body } = await post('/v2/agent', { prompt: 'Look around.' }, key)
      const isOver = async () =>
        (await send('GET', `/v2/agent/${body.id}`, undefined, key)).body.status !== 'processing'
      await expect.poll(isOver, { timeout: 60_000 }).toBe(true)
    }
    await run('key-one')
    expect(house.site.hits('/chosen')).toBe(0)
    await run('key-two')
    expect(house.site.hits('/chosen')).toBe(1)
  })
})

describe('The lists of a request', () => {
  test('replace those of the policy, which keeps its others', async () => {
    await send('PUT', path, { ...blocking, blockedTlds: ['zip'] })
    const url = house.at('/good/article')
    expect((await post('/v2/scrape', { url, timeout, threatProtection: { blacklist: [] } })).status).toBe(200)
    const other = { url: 'https://a.zip/', threatProtection: { blacklist: [] } }
    expect((await post('/v2/scrape', other)).body.error).toContain('blocked-tld')
    const crawl = { url, limit: 1, scrapeOptions: { threatProtection: { blacklist: [] } } }
    expect((await post('/v2/crawl', crawl)).status).toBe(200)
  })

  test.each([
    [{ blacklist: [] }, { allowRequestOverrides: false }, /does not allow requests/],
    [{ mode: 'off' }, {}, /cannot be turned off/],
    [false, {}, /cannot be turned off/],
  ])('%j are refused by %j', async (threatProtection, more, words) => {
    await send('PUT', path, { ...blocking, ...more })
    const { status, body } = await post('/v2/scrape', { url: house.at('/good/article'), threatProtection })
    expect([status, body.error]).toEqual([403, expect.stringMatching(words)])
    const { body: activity } = await send('GET', '/v2/team/activity?limit=1')
    expect(activity.data[0]).toMatchObject({ endpoint: 'scrape' })
  })

  test.each([
    ['/v2/extract', {}],
    ['/v2/extract', { agent: {} }],
    ['/v2/agent', {}],
  ])('of %s with %j block its URLs', async (to, more) => {
    const threatProtection = { blacklist: ['127.0.0.1'] }
    const request = { urls: [house.at('/good/article')], prompt: 'legs', threatProtection, ...more }
    const { status, body } = await post(to, request)
    expect([status, body.code]).toEqual([403, 'unsafe_domain_blocked'])
  })
})
