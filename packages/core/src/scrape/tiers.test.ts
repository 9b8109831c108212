// How proxies are picked, and what they are told of the requests through them.
import { EngineError, type ProxyRequest, type ProxyResult, type Proxies, type WireRequest } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { browsing, failure, house, url } from './fixtures/house.ts'

/** Proxies that are picked in turn, with the requests and reports that they receive. */
function watched(...urls: readonly string[]) {
  const requests: ProxyRequest[] = []
  const reports: (readonly [url: string, result: ProxyResult])[] = []
  let turn = 0
  const proxies: Proxies = {
    pick: async (request) => {
      requests.push(request)
      const picked = urls[turn++ % urls.length]!
      return { url: picked, report: (result) => void reports.push([picked, result]) }
    },
  }
  return { proxies, requests, reports }
}

const down = (status?: number) =>
  new EngineError('connection_failed', 'The proxy did not open the connection.', {
    details: { proxy: true, ...(status !== undefined && { status }) },
  })

/** Rejects requests through proxies with `dead` in their URL. */
const unlessDead = (error: EngineError) => (request: WireRequest) => {
  if (request.proxy?.url.includes('dead')) throw error
  return {}
}

test('a proxy is picked for the host of the page', async () => {
  const { proxies, requests } = watched('http://a')
  const { engine } = house(undefined, { proxies })
  await engine.scrape({ url: 'https://b.example:8443/x' })
  expect(requests).toEqual([{ tier: 'basic', country: 'US', host: 'b.example:8443', session: undefined }])
})

test('the pages of a profile are one session, also those of a job', async () => {
  const { proxies, requests } = watched('http://a')
  const { engine } = house(undefined, { proxies })
  const profile = { name: 'mine' }
  await engine.scrape({ url, profile })
  const batch = await engine.batch({ urls: [url], profile })
  await batch.end()
  expect(requests.length).toBeGreaterThan(1)
  for (const { session } of requests) expect(session).toMatch(/^profile .*\/mine$/)
  await engine.close()
})

test('the pages of one crawl are one session, and two crawls are two', async () => {
  const { proxies, requests } = watched('http://a')
  const { engine } = house(() => ({ body: '<a href="/1">1</a> <a href="/2">2</a>' }), { proxies })
  for (let round = 0; round < 2; round += 1) {
    const crawl = await engine.crawl({ url, sitemap: 'skip', limit: 3 })
    await crawl.end()
  }
  const sessions = requests.map(({ session }) => session)
  expect(sessions).not.toContain(undefined)
  expect(new Set(sessions).size).toBe(2)
  await engine.close()
})

test.each([
  [{}, 'ok'],
  [{ status: 404 }, 'ok'],
  [{ status: 403 }, 'blocked'],
  [{ headers: [['cf-mitigated', 'challenge']] }, 'blocked'],
] as const)('a proxy is told that the host answered %j: %s', async (answer, outcome) => {
  const { proxies, reports } = watched('http://a')
  await house(() => answer, { proxies }).engine.scrape({ url })
  expect(reports[0]).toEqual(['http://a', expect.objectContaining({ outcome })])
  // After a block, the same proxy is picked again, and not used again.
  expect(reports.slice(1)).toEqual(outcome === 'blocked' ? [['http://a', { outcome: 'unknown' }]] : [])
})

test('a proxy is told how long the host requests to wait', async () => {
  const { proxies, reports } = watched('http://a')
  const { engine } = house(() => ({ status: 429, headers: [['retry-after', '7']] }), { proxies })
  await engine.scrape({ url })
  expect(reports[0]?.[1]).toMatchObject({ outcome: 'blocked', retryAfter: 7_000 })
})

test.each([
  ['no connection to the proxy', down(), 'down'],
  ['a wrong password', down(407), 'down'],
  ['a response that is no HTTP', down(0), 'down'],
  ['a host that the proxy does not reach', down(502), 'failed'],
  ['a broken connection', new EngineError('connection_failed', 'It broke.'), 'failed'],
  ['an address that the guard blocks', new EngineError('url_blocked', 'It is private.'), 'unknown'],
] as const)('a proxy is told of %s', async (_, error, outcome) => {
  const { proxies, reports } = watched('http://dead')
  await failure(house(unlessDead(error), { proxies }).engine.scrape({ url }))
  expect(reports).toEqual([
    ['http://dead', { outcome }],
    ...(outcome === 'down' ? [['http://dead', { outcome: 'unknown' }]] : []),
  ])
})

test('if a proxy is down, the page is loaded through another one of its tier', async () => {
  const { proxies, requests, reports } = watched('http://dead', 'http://b')
  const { engine, asked } = house(unlessDead(down()), { proxies })
  const { metadata, explain } = await engine.scrape({ url, proxy: 'auto' }, { explain: true })
  expect(asked.map(({ proxy }) => proxy?.url)).toEqual(['http://dead', 'http://b'])
  expect(requests.map(({ tier }) => tier)).toEqual(['basic', 'basic'])
  expect(metadata).toMatchObject({ proxyUsed: 'basic', creditsUsed: 1 })
  expect(reports.map(([, { outcome }]) => outcome)).toEqual(['down', 'ok'])
  expect(explain?.steps.map(({ step, outcome }) => `${step}: ${outcome}`)).toContain('proxy: another')
})

test('if all proxies are down, three are tried, and the host is never asked directly', async () => {
  const { proxies, reports } = watched('http://dead1', 'http://dead2', 'http://dead3', 'http://dead4')
  const { profiles, make } = browsing()
  const { engine, asked } = house(unlessDead(down()), { proxies, browser: make })
  const error = await failure(engine.scrape({ url }))
  expect(error).toMatchObject({ code: 'connection_failed', details: { proxy: true } })
  expect(asked.map(({ proxy }) => proxy?.url)).toEqual(['http://dead1', 'http://dead2', 'http://dead3'])
  expect(profiles).toEqual([])
  expect(reports).toHaveLength(3)
})

test('a request is not sent again through another proxy if the first may have delivered it', async () => {
  const { proxies } = watched('http://dead', 'http://b')
  const { engine, asked } = house(unlessDead(new EngineError('connection_failed', 'It broke.')), { proxies })
  await failure(engine.scrape({ url }))
  expect(asked).toHaveLength(1)
})

test('proxies that never decide do not hold up a page beyond its timeout', async () => {
  const { engine, asked } = house(undefined, { proxies: { pick: () => new Promise(() => undefined) } })
  expect((await failure(engine.scrape({ url, timeout: 1_000 }))).code).toBe('timeout')
  expect(asked).toEqual([])
})

test('a proxy is told when the caller cancels, and not blamed for it', async () => {
  const { proxies, reports } = watched('http://a')
  const stop = new AbortController()
  const { engine } = house(
    () => {
      stop.abort()
      throw new EngineError('aborted', 'The caller left.')
    },
    { proxies },
  )
  await failure(engine.scrape({ url }, { signal: stop.signal }))
  expect(reports).toEqual([['http://a', { outcome: 'unknown' }]])
})

test('a page that the host blocks is returned if no enhanced proxy may be picked, with the reason', async () => {
  const pick: Proxies['pick'] = async ({ tier }) => {
    if (tier === 'enhanced') throw new EngineError('connection_failed', 'No more today.')
    return { url: 'http://a' }
  }
  const { engine } = house(() => ({ status: 403 }), { proxies: { pick } })
  const { metadata, explain } = await engine.scrape({ url, proxy: 'auto' }, { explain: true })
  expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', creditsUsed: 1 })
  expect(explain?.steps.find(({ outcome }) => outcome === 'kept')?.reason).toContain('No more today.')
})
