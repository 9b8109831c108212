// What is tried after a host blocks a page, and what is remembered of it.
import { type BrowserProfile, type Clock, EngineError, type ErrorCode, type WireRequest } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import type { EngineOptions } from '../engine/types.ts'
import { pageWaitsPort } from '../plugin/core-ports.ts'
import { defineLoader, definePlugin } from '../plugin/define.ts'
import type { Loader, Page } from '../plugin/parts.ts'
import { providePort } from '../plugin/port.ts'
import { both, browsing, failure, good, house, url } from './fixtures/house.ts'

type Answer = Parameters<typeof house>[0]

const banned = '<h1>Forbidden</h1><p>Your IP address has been banned.</p>'
const captcha = '<p>Are you a robot?</p><form><div class="g-recaptcha"></div></form>'

const page = (href: string): Page => ({
  url: href,
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode('<p>Go away.</p>'),
  captured: {},
  actions: {},
  proxyUsed: 'basic',
  warnings: [],
})

const isEnhanced = ({ proxy }: WireRequest): boolean => proxy?.url.includes('enhanced') === true
const statusFor =
  (status: number, body = good): Answer =>
  () => ({ status, body })

function world(answer: Answer, html: () => string | Error = () => good, options: EngineOptions = {}) {
  const { profiles, make } = browsing(html)
  const { engine, asked } = house(answer, { browser: make, ...options })
  const steps = async (request: object = {}, path = '') => {
    const { explain, ...document } = await engine.scrape({ url: url + path, ...request }, { explain: true })
    const told = (explain?.steps ?? []).map(({ step, outcome, loader }) =>
      [step, outcome, loader].filter(Boolean).join(' '),
    )
    return { document, explain, told: told.filter((one) => !one.startsWith('parser')) }
  }
  return { engine, asked, profiles, steps }
}

describe('a page that is refused over HTTP', () => {
  test('is loaded by the browser, and the next page of the host at once', async () => {
    const { asked, profiles, steps } = world(statusFor(403))
    const first = await steps()
    expect(first.told).toEqual(['loader page http', 'block browser next', 'loader page browser'])
    expect(first.document).toMatchObject({ metadata: { statusCode: 200, creditsUsed: 1 } })
    const second = await steps({}, 'second')
    expect(second.told).toEqual(['hosts browser first', 'loader page browser'])
    expect(second.explain?.steps[0]?.reason).toContain('The host answered 403.')
    expect([asked.length, profiles.length]).toEqual([1, 2])
  })

  test('is loaded by the browser before a proxy that costs credits', async () => {
    const { profiles, steps } = world(statusFor(403), undefined, { proxies: both })
    const { document } = await steps({ proxy: 'auto' })
    expect(document.metadata).toMatchObject({ proxyUsed: 'basic', creditsUsed: 1 })
    expect(profiles.map(({ proxy }) => proxy?.url)).toEqual(['http://basic.US.example'])
  })

  test('is not loaded by the browser if only another address can help', async () => {
    const answer: Answer = (request) => (isEnhanced(request) ? {} : { status: 403, body: banned })
    const { profiles, steps } = world(answer, undefined, { proxies: both })
    const { told, document } = await steps({ proxy: 'auto' })
    expect(told).toEqual([
      'proxy basic',
      'loader page http',
      'proxy enhanced next',
      'proxy enhanced',
      'loader page http',
    ])
    expect(document.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
    expect(profiles).toEqual([])
  })

  test('is tried through another basic proxy before one that costs credits', async () => {
    let turn = 0
    const proxies = { pick: async ({ tier }: { tier: string }) => ({ url: `http://${tier}-${turn++}.example` }) }
    const answer: Answer = ({ proxy }) => (proxy?.url === 'http://basic-0.example' ? { status: 403, body: banned } : {})
    const { told, document } = await world(answer, undefined, { proxies }).steps({ proxy: 'auto' })
    expect(told).toContain('block another proxy')
    expect(document.metadata).toMatchObject({ statusCode: 200, proxyUsed: 'basic', creditsUsed: 1 })
  })

  test('keeps its first result, with the reason, if the browser is refused too', async () => {
    const { steps } = world(statusFor(200, captcha), () => captcha)
    const { document, explain } = await steps()
    expect(document.warning).toContain('with a captcha. The response is not the page. A person can solve it')
    expect(explain?.steps.findLast(({ step }) => step === 'block')).toMatchObject({
      outcome: 'kept',
      reason: 'The host answered 200 with a captcha. There is no further step.',
    })
  })

  test('names the captcha that a further step met', async () => {
    const { document } = await world(statusFor(403), () => captcha).steps()
    expect(document).toMatchObject({ metadata: { statusCode: 403 }, warning: expect.stringContaining('captcha') })
  })

  test('keeps its first result if the browser fails', async () => {
    const { document } = await world(statusFor(403), () => new Error('bug')).steps()
    expect(document.metadata.statusCode).toBe(403)
  })

  test('is no longer loaded by the browser when that did not help twice, until another signal', async () => {
    const answer: Answer = ({ url: { pathname } }) =>
      pathname === '/script' ? { body: '<script>document.cookie="a=1";location.reload()</script>' } : { status: 403 }
    let html = captcha
    const { steps, profiles } = world(answer, () => html)
    await steps({}, 'a')
    await steps({}, 'b')
    const { told, explain } = await steps({}, 'c')
    expect(told).toEqual(['loader page http', 'block kept'])
    expect(explain?.steps[1]?.reason).toContain('No step got past it on a.example; remembered until ')
    expect(profiles).toHaveLength(2)
    html = good
    expect((await steps({}, 'script')).document.markdown).toContain('# Head')
  })

  test('is remembered neither without a right to keep anything, nor for one page among good ones', async () => {
    const { steps, engine } = world(({ url: { pathname } }) => (pathname === '/no' ? { status: 403 } : {}))
    await steps({ zeroDataRetention: true }, 'no')
    expect(await engine.hosts.find(url)).toBeUndefined()
    await steps({}, 'good')
    await steps({}, 'no')
    expect(await engine.hosts.find(url)).toBeUndefined()
    await steps({}, 'no')
    expect(await engine.hosts.find(url)).toMatchObject({ step: { loader: 'browser', tier: 'basic' } })
  })
})

test('A loader between HTTP and the browser is tried before the browser, and remembered', async () => {
  const load: Loader['load'] = async ({ url: { href } }) => ({ ...page(href), body: new TextEncoder().encode(good) })
  const plugins = [definePlugin({ name: 'more', loaders: [defineLoader({ name: 'identity', cost: 5, load })] })]
  const { steps, profiles } = world(statusFor(403), undefined, { plugins })
  expect((await steps()).told).toEqual(['loader page http', 'block identity next', 'loader page identity'])
  expect((await steps({}, 'second')).told).toEqual(['hosts identity first', 'loader page identity'])
  expect(profiles).toEqual([])
})

test('A loader can tell that the host refused the page', async () => {
  const block = { signal: 'soft', reason: 'The archive has no permission.' } as const
  const load: Loader['load'] = async ({ url: { href } }) => ({ ...page(href), block })
  const archive = defineLoader({ name: 'archive', cost: 0, load })
  const { steps } = world(undefined, undefined, { plugins: [definePlugin({ name: 'more', loaders: [archive] })] })
  const { told, explain, document } = await steps()
  expect(told).toEqual(['loader page archive', 'block http next', 'loader page http'])
  expect(explain?.steps[1]?.reason).toBe(block.reason)
  expect(document.markdown).toContain('# Head')
})

test('With the option person, a captcha is an error that a person can resolve', async () => {
  const waits = { before: async () => undefined, after: async () => undefined }
  const { engine } = world(statusFor(200, captcha), () => captcha, { ports: [providePort(pageWaitsPort, waits)] })
  const work = engine.scrape({ url, profile: { name: 'mine' }, person: { timeout: 60 } })
  expect(await failure(work)).toMatchObject({ details: { signal: 'captcha', url } })
})

test('A host that needs a proxy that costs credits is asked once without it, and then through it at once', async () => {
  const answer: Answer = (request) => (isEnhanced(request) ? {} : { status: 403 })
  const { steps, profiles } = world(answer, () => (profiles.at(-1)?.proxy?.url.includes('enhanced') ? good : captcha), {
    proxies: both,
  })
  const first = await steps({ proxy: 'auto' })
  expect(first.told.filter((one) => one.startsWith('loader'))).toEqual([
    'loader page http',
    'loader page browser',
    'loader page browser',
  ])
  const second = await steps({ proxy: 'auto' }, 'second')
  expect(second.told).toEqual([
    'proxy basic',
    'loader page http',
    'proxy enhanced next',
    'proxy enhanced',
    'loader page browser',
  ])
  expect(second.document.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
})

describe('a remembered step', () => {
  test('that has no proxy any more does not keep the other steps from being tried', async () => {
    let html = captcha
    let hasEnhanced = true
    const pick: typeof both.pick = async (request) =>
      request.tier === 'enhanced' && !hasEnhanced ? undefined : both.pick(request)
    const answer: Answer = () => ({ status: 403 })
    const { steps, profiles } = world(answer, () => (profiles.at(-1)?.proxy?.url.includes('enhanced') ? good : html), {
      proxies: { pick },
    })
    await steps({ proxy: 'auto' })
    hasEnhanced = false
    html = good
    const { told, document } = await steps({ proxy: 'auto' }, 'second')
    expect(told).toEqual([
      'proxy basic',
      'loader page http',
      'block browser next',
      'proxy basic',
      'loader page browser',
    ])
    expect(document.metadata.statusCode).toBe(200)
  })

  test('that is blocked is followed by the steps that it has replaced', async () => {
    let isOpen = false
    const { steps } = world(
      () => (isOpen ? {} : { status: 403 }),
      () => (isOpen ? captcha : good),
    )
    await steps()
    isOpen = true
    const { told, document } = await steps({}, 'second')
    expect(told).toEqual(['hosts browser first', 'loader page browser', 'block http next', 'loader page http'])
    expect(document.markdown).toContain('# Head')
  })
})

test('Steps that could not be tried are not remembered as steps that do not help', async () => {
  const pick: typeof both.pick = async (request) => (request.tier === 'enhanced' ? undefined : both.pick(request))
  const { steps, profiles } = world(statusFor(403), () => captcha, { proxies: { pick } })
  for (const path of ['a', 'b', 'c']) await steps({ proxy: 'auto' }, path)
  expect(profiles).toHaveLength(3)
})

test('A page that redirects to a form to log in is not tried again, and not cached', async () => {
  const answer: Answer = ({ url: { pathname } }) =>
    pathname === '/login'
      ? { body: '<form><input type="password"></form>' }
      : { status: 302, headers: [['location', '/login']] }
  const { steps, profiles } = world(answer)
  const { document, told } = await steps({ maxAge: 60_000 })
  expect(document.warning).toContain('The host redirected to a page to log in.')
  expect(told).toEqual(['cache miss', 'loader page http', 'block kept'])
  expect(profiles).toEqual([])
  expect((await steps({ maxAge: 60_000 })).told[0]).toBe('cache miss')
})

describe('a host that limits requests', () => {
  const limited = (seconds: string) => {
    const slept: number[] = []
    const clock: Clock = { now: () => Date.now(), sleep: async (ms) => void slept.push(ms) }
    let count = 0
    const answer: Answer = () => (count++ === 0 ? { status: 429, headers: [['retry-after', seconds]] } : {})
    return { slept, ...world(answer, undefined, { clock, proxies: both }) }
  }

  test('is asked again after the time that it names, in the same way', async () => {
    const { slept, steps, engine } = limited('2')
    const { told, document } = await steps({ proxy: 'auto' })
    expect(told).toEqual(['proxy basic', 'loader page http', 'block wait', 'proxy basic', 'loader page http'])
    expect(document.metadata).toMatchObject({ statusCode: 200, proxyUsed: 'basic' })
    expect(slept).toEqual([2_000])
    expect(await engine.hosts.find(url)).toBeUndefined()
  })

  test('is not asked again if the time does not suffice', async () => {
    const { slept, steps, profiles } = limited('3600')
    const { document } = await steps({ proxy: 'auto' })
    expect([document.metadata.statusCode, slept, profiles]).toEqual([429, [], []])
  })
})

test('Actions that may change something are not repeated after a block', async () => {
  const { steps, profiles } = world(undefined, () => captcha, { proxies: both })
  const { document, told } = await steps({ proxy: 'auto', actions: [{ type: 'click', selector: 'a' }] })
  expect(profiles).toHaveLength(1)
  expect(told.at(-1)).toBe('block kept')
  expect(document.warning).toContain('captcha')
  const { told: waits } = await steps({ proxy: 'auto', actions: [{ type: 'wait', milliseconds: 1 }] }, 'b')
  expect(waits).toContain('proxy enhanced next')
})

describe('Actions that may have been performed by a step that failed', () => {
  /** Closes the connection to the first proxy. Actions through the other ones fail with this code. */
  const failing = (code: ErrorCode) => {
    let turn = 0
    const clicks: string[] = []
    const pick: typeof both.pick = async ({ tier }) => ({ url: `http://${tier}-${turn++}.example` })
    const browser = () =>
      ({
        open: async ({ proxy }: BrowserProfile) => ({
          goto: async ({ href }: URL) => {
            if (proxy?.url.endsWith('-0.example')) throw new EngineError('connection_failed', 'Closed.')
            return { url: href, status: 200, headers: [] }
          },
          click: async () => {
            clicks.push(proxy?.url ?? '')
            throw new EngineError(code, 'It failed.')
          },
          close: async () => undefined,
        }),
        close: async () => undefined,
      }) as never
    const { engine } = house(undefined, { browser, proxies: { pick } })
    const work = engine.scrape({ url, proxy: 'auto', actions: [{ type: 'click', selector: 'a' }] })
    return { clicks, work }
  }

  test.each([
    ['action_failed', 'action_failed'],
    ['browser_failed', 'connection_failed'],
  ] as const)('are not repeated after %s', async (code, result) => {
    const { clicks, work } = failing(code)
    expect((await failure(work)).code).toBe(result)
    expect(clicks).toEqual(['http://basic-1.example'])
  })
})

test(
  'A step that takes too long is ended in time for the first result',
  { tags: ['long'], timeout: 60_000 },
  async () => {
    const stuck = () => ({ open: () => new Promise<never>(() => undefined), close: async () => undefined }) as never
    const { engine } = house(statusFor(403), { browser: stuck })
    expect((await engine.scrape({ url, timeout: 16_000 })).metadata.statusCode).toBe(403)
  },
)
