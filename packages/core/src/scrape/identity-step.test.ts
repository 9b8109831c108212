import { handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError, type EngineEvent, type MakeFetcher, type WireRequest } from '@harvestman/ports'
import type { EngineOptions } from '../engine/types.ts'
import { definePlugin } from '../plugin/define.ts'
import { defineFeature } from '../plugin/feature.ts'
import { both, browsing, good, house, shell, url } from './fixtures/house.ts'

const captcha = '<p>Are you a robot?</p><form><div class="g-recaptcha"></div></form>'
const script = '<script>document.cookie = "pass=1"; location.reload()</script>'
const banned = '<h1>Forbidden</h1><p>Your IP address has been banned.</p>'

const lost = () => {
  throw new EngineError('connection_failed', 'The connection to the host was lost. Try again.')
}
const failing = (error: Error) => () => {
  throw error
}
const hanging = () => new Promise<never>(() => undefined)

type Response = { readonly status?: number; readonly body?: string }

/** An engine with a fetcher, an identity fetcher and a browser, and the requests of each. */
function withIdentity(
  plain: (request: WireRequest) => Response,
  {
    identity = () => ({}),
    html,
    ...options
  }: EngineOptions & {
    readonly identity?: (request: WireRequest) => Response | Promise<Response>
    readonly html?: () => string
  } = {},
) {
  const sent: WireRequest[] = []
  const identityFetcher: MakeFetcher = () => ({
    exchange: async (request) => {
      sent.push(request)
      const { status = 200, body = good } = await identity(request)
      return { status, headers: [['content-type', 'text/html']], body: new TextEncoder().encode(body) }
    },
    close: async () => undefined,
  })
  const { profiles, make } = browsing(html)
  const all = { identityFetcher, browser: make, ...options }
  return { sent, profiles, ...house(plain, all) }
}

const explained = async ({ engine }: Pick<ReturnType<typeof house>, 'engine'>, more = {}) => {
  const { explain, markdown } = await engine.scrape({ url, ...more }, { explain: true })
  return { markdown, outcomes: explain?.steps.map(({ step, outcome }) => `${step} ${outcome}`) ?? [], explain }
}

test.each([
  ['a status', { status: 403 }],
  ['a wall of a service', { status: 403, body: '<title>Attention Required! | Cloudflare</title>' }],
  ['a page that refuses automated requests', { body: '<h1>Access denied</h1><p>Unusual traffic.</p>' }],
])('a page blocked by %s is fetched with the identity of the browser, without a browser', async (_, response) => {
  const bench = withIdentity(() => response)
  const { markdown, outcomes } = await explained(bench)
  expect(markdown).toContain('# Head')
  expect(outcomes).toContain('block http-identity next')
  expect([bench.asked.length, bench.sent.length, bench.profiles.length]).toEqual([1, 1, 0])
  expect(bench.sent[0]?.headers).toEqual(bench.asked[0]?.headers)
})

test.each([
  ['a captcha', { body: captcha }, 1],
  ['a script that sets a cookie', { body: script }, 1],
  ['a ban of the IP address', { status: 403, body: banned }, 0],
  ['an empty shell', { body: shell }, 1],
])('a page blocked by %s is not, because it would not help', async (_, response, tabs) => {
  const bench = withIdentity(() => response)
  await explained(bench)
  expect([bench.sent.length, bench.profiles.length]).toEqual([0, tabs])
})

test('the next page of the host starts with the identity, until the record expires', async () => {
  const clock = handClock()
  const bench = withIdentity(() => ({ status: 403 }), { clock })
  await explained(bench)
  const { explain } = await explained(bench)
  const step = explain?.steps.find((one) => one.step === 'hosts')
  expect(step).toMatchObject({ outcome: 'http-identity first', reason: expect.stringContaining('gets past it') })
  expect([bench.asked.length, bench.sent.length]).toEqual([1, 2])
  await clock.pass(3_600_001)
  await explained(bench)
  expect([bench.asked.length, bench.sent.length]).toEqual([2, 3])
})

test('the next page starts with it without a browser too', async () => {
  const bench = withIdentity(() => ({ status: 403 }), { browser: undefined })
  await explained(bench)
  await explained(bench)
  expect([bench.asked.length, bench.sent.length]).toEqual([1, 2])
})

test('the browser follows if the identity is blocked as well', async () => {
  const bench = withIdentity(() => ({ status: 403 }), { identity: () => ({ status: 403 }) })
  const { markdown, outcomes } = await explained(bench)
  expect(markdown).toContain('# Head')
  expect(outcomes.filter((one) => one.startsWith('block'))).toEqual(['block http-identity next', 'block browser next'])
})

test('a host that closes the connection to plain HTTP is loaded with the identity, and remembered', async () => {
  const bench = withIdentity(lost)
  expect((await explained(bench)).markdown).toContain('# Head')
  expect((await explained(bench)).outcomes).toContain('hosts http-identity first')
  expect([bench.asked.length, bench.sent.length, bench.profiles.length]).toEqual([1, 2, 0])
})

describe.each([
  ['refuses plain HTTP', () => ({ status: 403 })],
  ['closes the connection to plain HTTP', lost],
])('the browser loads a page of a host that %s', (_, plain) => {
  test.each([
    ['has a bug', failing(new Error('Cannot find native binding.')), 'failed'],
    ['is not installed', failing(new EngineError('not_configured', 'impit is not installed.')), 'passed'],
    ['gets no response in time', failing(new EngineError('timeout', 'The host did not respond.')), 'failed'],
    ['gets too much', failing(new EngineError('response_too_large', 'It is too large.')), 'failed'],
    ['cannot resolve a redirect', failing(new EngineError('dns_failed', 'It does not exist.')), 'failed'],
    ['loses the connection', lost, 'failed'],
    ['never ends', hanging, 'failed'],
  ])('if the identity fetcher %s', async (__, identity, outcome) => {
    const bench = withIdentity(plain, { identity })
    const { markdown, outcomes } = await explained(bench, { timeout: 2_000 })
    expect(markdown).toContain('# Head')
    expect(outcomes).toContain(`loader ${outcome}`)
    expect([bench.sent.length, bench.profiles.length]).toEqual([1, 1])
  })
})

test('a bug of the identity fetcher is a warning to the operator, and its message is not shown to the caller', async () => {
  const warnings: string[] = []
  const observer = (event: EngineEvent) => void (event.kind === 'warning' && warnings.push(event.message))
  const bench = withIdentity(() => ({ status: 403 }), { identity: failing(new Error('/srv/key')), observer })
  const { explain } = await explained(bench)
  expect(JSON.stringify(explain)).not.toContain('/srv/key')
  expect(warnings).toEqual([expect.stringContaining('/srv/key')])
})

test('a page that the identity fetcher may not load is not loaded by the browser', async () => {
  const bench = withIdentity(lost, { identity: failing(new EngineError('url_blocked', 'It is a private address.')) })
  await expect(explained(bench)).rejects.toMatchObject({ code: 'url_blocked' })
  expect(bench.profiles).toEqual([])
})

test('a host that the identity fetcher was remembered for is loaded by the browser once it fails', async () => {
  let isBroken = false
  const bench = withIdentity(() => ({ status: 403 }), { identity: () => (isBroken ? hanging() : {}) })
  await explained(bench)
  isBroken = true
  const { markdown, outcomes } = await explained(bench, { timeout: 2_000 })
  expect(markdown).toContain('# Head')
  expect(outcomes).toContain('hosts http-identity first')
  expect([bench.asked.length, bench.profiles.length]).toEqual([1, 1])
})

test('a host that closes the connection and never responds to the identity has the error of plain HTTP', async () => {
  const bench = withIdentity(lost, { identity: hanging, browser: undefined })
  await expect(explained(bench, { timeout: 2_000 })).rejects.toMatchObject({ code: 'connection_failed' })
})

test('a page without TLS of a remembered host starts with plain HTTP', async () => {
  const bench = withIdentity(({ url: { protocol } }) => (protocol === 'https:' ? { status: 403 } : {}))
  await explained(bench)
  const { outcomes } = await explained(bench, { url: url.replace('https:', 'http:') })
  expect(outcomes.filter((one) => one.startsWith('hosts'))).toEqual([])
  expect([bench.asked.length, bench.sent.length]).toEqual([2, 1])
})

test('a host that is down has the error of plain HTTP, and both attempts are listed', async () => {
  const down = () => {
    throw new EngineError('connection_failed', 'The host refused the connection.')
  }
  const bench = withIdentity(down, { identity: down, browser: undefined })
  const error: unknown = await explained(bench).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'connection_failed', message: 'The host refused the connection.' })
  expect(error).toMatchObject({ details: { attempts: [{ loader: 'http' }, { loader: 'http-identity' }] } })
})

test('a host with a bad certificate is not tried again with the identity', async () => {
  const bench = withIdentity(
    () => {
      throw new EngineError('tls_failed', 'The certificate of the host has expired.')
    },
    { browser: undefined },
  )
  await expect(explained(bench)).rejects.toMatchObject({ code: 'tls_failed' })
  expect(bench.sent).toEqual([])
})

const recording = defineFeature({
  name: 'recording',
  keepsRecords: true,
  open: () => ({}),
  around: (_, __, run) => run(),
})

test.each([
  ['its own user agent', { headers: { 'User-Agent': 'Bot/1.0' } }],
  ['a record', { record: true }],
])('a request with %s does not use it, and is loaded by the browser once', async (_, request) => {
  const bench = withIdentity(() => ({ status: 403 }), {
    html: () => captcha,
    plugins: [definePlugin({ name: 'own', features: [recording] })],
  })
  await explained(bench, request)
  expect([bench.sent.length, bench.profiles.length]).toEqual([0, 1])
})

test('the proxy of the tier is that of the identity too', async () => {
  const bench = withIdentity(() => ({ status: 403 }), { proxies: both })
  await explained(bench)
  expect(bench.sent.map(({ proxy }) => proxy?.url)).toEqual(['http://basic.US.example'])
})

test('an engine without an identity fetcher has no such loader', () => {
  expect(house().engine.capabilities().loaders).not.toContain('http-identity')
  expect(withIdentity(() => ({})).engine.capabilities().loaders).toEqual(['http', 'http-identity', 'browser'])
})
