// How a page is come by: loaders, tiers of proxies, and what is remembered of hosts.
import { ownBytes } from '@harvestman/ports/values'
import { describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import { EngineError, type MakeFetcher, type Proxies, type Store } from '@harvestman/ports'
import { defineLoader, definePlugin, pass } from '../plugin/define.ts'
import { memoryStore } from '@harvestman/embedded'
import { both, browsing, failure, good, house, refused, shell, url } from './fixtures/house.ts'

describe('proxies', () => {
  test.each([
    ['basic', 'http://basic.DE.example', 'basic', 1],
    ['enhanced', 'http://enhanced.DE.example', 'stealth', 5],
    ['stealth', 'http://enhanced.DE.example', 'stealth', 5],
    ['auto', 'http://basic.DE.example', 'basic', 1],
  ] as const)('proxy: %s goes through %s, of the country asked for', async (proxy, through, used, credits) => {
    const { engine, asked } = house(undefined, { proxies: both })
    const { metadata } = await engine.scrape({ url, proxy, location: { country: 'DE' } })
    expect(asked.map((request) => request.proxy?.url)).toEqual([through])
    expect([metadata.proxyUsed, metadata.creditsUsed]).toEqual([used, credits])
  })

  test('without any, or without a basic one, hosts are asked directly', async () => {
    const onlyEnhanced: Proxies = { pick: async ({ tier }) => (tier === 'basic' ? undefined : { url: 'http://e' }) }
    for (const proxies of [undefined, onlyEnhanced]) {
      const { engine, asked } = house(undefined, { proxies })
      await engine.scrape({ url, proxy: 'auto' })
      expect(asked.map(({ proxy }) => proxy)).toEqual([undefined])
    }
  })

  test('auto asks again through an enhanced one when the host refuses, and that is what it costs', async () => {
    const { engine, asked } = house(refused, { proxies: both })
    const { metadata, markdown } = await engine.scrape({ url, proxy: 'auto' })
    expect(asked.map(({ proxy }) => proxy?.url)).toEqual(['http://basic.US.example', 'http://enhanced.US.example'])
    expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
    expect(markdown).toContain('# Head')
  })

  test('auto asks again when the connection breaks', async () => {
    const { engine } = house(
      (request) => {
        if (request.proxy?.url.includes('basic')) throw new EngineError('connection_failed', 'It broke.')
        return {}
      },
      { proxies: both },
    )
    expect((await engine.scrape({ url, proxy: 'auto' })).metadata).toMatchObject({ proxyUsed: 'stealth' })
  })

  test('auto gives, and charges, the first page when the second is no better', async () => {
    const { engine, asked } = house(() => ({ status: 403 }), { proxies: both })
    const { metadata } = await engine.scrape({ url, proxy: 'auto' })
    expect(asked).toHaveLength(2)
    expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', creditsUsed: 1 })
  })

  test('auto does not ask again for a page that is not there', async () => {
    const { engine, asked } = house(() => ({ status: 404 }), { proxies: both })
    await engine.scrape({ url, proxy: 'auto' })
    expect(asked).toHaveLength(1)
  })

  test('basic does not go on to an enhanced one, and a wall is named in the warning', async () => {
    const { engine, asked } = house(() => ({ status: 403, headers: [['cf-mitigated', 'challenge']] }), {
      proxies: both,
    })
    const { warning } = await engine.scrape({ url })
    expect(asked).toHaveLength(1)
    expect(warning).toContain('Cloudflare')
  })

  test('enhanced without proxies is refused by name before anything is fetched', async () => {
    const { engine, asked } = house()
    const error = await failure(engine.scrape({ url, proxy: 'enhanced' }))
    expect(error).toMatchObject({ code: 'not_configured', details: { port: 'proxies' } })
    expect(error.message).toContain('staticProxies')
    expect(asked).toEqual([])
  })

  test('enhanced without one for the country is refused by name of the country', async () => {
    const { engine, asked } = house(undefined, { proxies: { pick: async () => undefined } })
    const error = await failure(engine.scrape({ url, proxy: 'enhanced', location: { country: 'DE' } }))
    expect(error).toMatchObject({ code: 'not_configured', details: { port: 'proxies' } })
    expect(error.message).toContain('DE')
    expect(asked).toEqual([])
  })

  test('that cannot be picked are a failed connection', async () => {
    const { engine } = house(undefined, { proxies: { pick: () => Promise.reject(new Error('no more')) } })
    expect((await failure(engine.scrape({ url }))).code).toBe('connection_failed')
  })

  test('a kept page costs what any kept page does', async () => {
    const { engine } = house(undefined, { proxies: both })
    await engine.scrape({ url, proxy: 'enhanced' })
    const { metadata } = await engine.scrape({ url, proxy: 'enhanced', maxAge: 60_000 })
    expect(metadata).toMatchObject({ cacheState: 'hit', proxyUsed: 'stealth', creditsUsed: 1 })
  })

  test('are gone through by the browser too', async () => {
    const { profiles, make } = browsing()
    const { engine } = house(undefined, { proxies: both, browser: make })
    await engine.scrape({ url, proxy: 'enhanced', mobile: true })
    expect(profiles.map(({ proxy }) => proxy?.url)).toEqual(['http://enhanced.US.example'])
  })
})

const blocked = '<p>Are you a robot?</p><form><div class="g-recaptcha"></div></form>'
const bannedAddress = '<h1>Forbidden</h1><p>Your IP address has been banned.</p>'

describe('a host whose pages are drawn by their scripts', () => {
  const drawn = () => {
    const { profiles, make } = browsing()
    return { profiles, ...house(() => ({ body: shell }), { browser: make }) }
  }

  test('is asked by the browser at once the next time, for the same page', async () => {
    const { engine, asked, profiles } = drawn()
    const first = await engine.scrape({ url })
    const second = await engine.scrape({ url: `${url}other` })
    expect([asked.length, profiles.length]).toEqual([1, 2])
    expect(second.markdown).toBe(first.markdown)
  })

  test('is asked over HTTP when the browser fails', async () => {
    let html: string | Error = good
    const { make } = browsing(() => html)
    let body = shell
    const { engine, asked } = house(() => ({ body }), { browser: make })
    await engine.scrape({ url })
    html = new EngineError('browser_failed', 'It crashed.')
    body = good
    expect((await engine.scrape({ url })).markdown).toContain('# Head')
    expect(asked).toHaveLength(2)
  })

  test('can be looked up and forgotten, and is known to one team', async () => {
    const { engine, asked } = drawn()
    await engine.scrape({ url }, { team: 'one' })
    expect(await engine.hosts.find(url, { team: 'one' })).toMatchObject({ host: 'a.example' })
    expect(await engine.hosts.find(url)).toBeUndefined()
    await engine.hosts.forget(url, { team: 'one' })
    await engine.scrape({ url }, { team: 'one' })
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['the browser shows nothing either', browsing(() => shell).make, {}, {}],
    ['the browser is blocked', browsing(() => blocked).make, {}, {}],
    ['nothing may be kept', browsing().make, {}, { zeroDataRetention: true }],
    ['that is switched off', browsing().make, { keep: { hosts: 0 } }, {}],
  ])('is not remembered when %s', async (_, browser, options, request) => {
    const { engine } = house(() => ({ body: shell }), { ...options, browser })
    await engine.scrape({ url, ...request })
    expect(await engine.hosts.find(url)).toBeUndefined()
  })

  test('keeps the result of HTTP, with the reason, when the browser is blocked', async () => {
    const { engine } = house(() => ({ body: shell }), { browser: browsing(() => blocked).make })
    const { warning, rawHtml } = await engine.scrape({ url, formats: ['rawHtml'] })
    expect(rawHtml).toBe(shell)
    expect(warning).toContain('The browser did not either: The host answered 200 with a captcha.')
  })

  test('is asked by the browser through the tier that the host did not block', async () => {
    const { profiles, make } = browsing()
    const { engine } = house(
      ({ proxy }) => (proxy?.url.includes('enhanced') ? { body: shell } : { status: 403, body: bannedAddress }),
      { browser: make, proxies: both },
    )
    const { metadata } = await engine.scrape({ url, proxy: 'auto' })
    expect(metadata).toMatchObject({ proxyUsed: 'stealth' })
    expect(profiles.map(({ proxy }) => proxy?.url)).toEqual(['http://enhanced.US.example'])
  })

  test('is scraped all the same when the loader of its host cannot be remembered', async () => {
    const memory = memoryStore()
    const store: Store = {
      ...memory,
      update: () => Promise.reject(new Error('full')),
      get: async (key) => {
        if (key.startsWith('host/')) throw new Error('gone')
        return memory.get(key)
      },
    }
    const { engine } = house(() => ({ body: shell }), { store, browser: browsing().make })
    expect((await engine.scrape({ url })).markdown).toContain('# Head')
  })
})

describe('when no loader works', () => {
  const broken = () => {
    throw new EngineError('connection_failed', 'It broke.')
  }

  test('the failure lists each of them with its reason', async () => {
    const passing = defineLoader({ name: 'archive', cost: 40, load: async () => pass('no copy kept') })
    const plugins = [definePlugin({ name: 'more', loaders: [passing] })]
    const error = await failure(house(broken, { plugins }).engine.scrape({ url }))
    expect(error.code).toBe('loaders_failed')
    expect(error.message).toContain('http: It broke. archive: no copy kept')
    expect(error.details['attempts']).toMatchObject([
      { loader: 'http', outcome: 'failed', reason: 'It broke.' },
      { loader: 'archive', outcome: 'passed', reason: 'no copy kept' },
    ])
  })

  test('and those that could not do what was asked, with what they lack', async () => {
    const { make } = browsing(() => new EngineError('browser_failed', 'It crashed.'))
    const actions = [{ type: 'click', selector: 'a' }] as const
    const error = await failure(house(broken, { browser: make }).engine.scrape({ url, actions }))
    expect(error.code).toBe('browser_failed')
    expect(error.details['attempts']).toMatchObject([
      { loader: 'browser', outcome: 'failed', reason: 'It crashed.' },
      { loader: 'http', outcome: 'not tried', unmet: ['actions'] },
    ])
  })
})

describe('a large page whose body may be moved to a thread', () => {
  const large = `<main>${'<p>Some text that is long enough to stay.</p>'.repeat(5_000)}</main>`

  function lending(requests: { count: number }) {
    const fetcher: MakeFetcher = () => ({
      exchange: async () => {
        requests.count += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
        const headers = [['content-type', 'text/html'] as const]
        return { status: 200, headers, body: ownBytes(new TextEncoder().encode(large)) }
      },
      close: async () => undefined,
    })
    return createEngine({ fetcher })
  }

  test(
    'is whole for all who wait for one visit, and for those who take the copy later',
    { tags: ['long'] },
    async () => {
      const requests = { count: 0 }
      await using engine = lending(requests)
      const ask = async () => (await engine.scrape({ url, maxAge: 60_000, onlyMainContent: false })).markdown.length
      const together = await Promise.all([ask(), ask(), ask()])
      const later = [await ask(), await ask()]
      expect(new Set([...together, ...later]).size).toBe(1)
      expect(later[0]).toBeGreaterThan(100_000)
      expect(requests.count).toBe(1)
    },
  )

  test('is whole for each of those who take no copies', { tags: ['long'] }, async () => {
    const requests = { count: 0 }
    await using engine = lending(requests)
    const ask = async () => (await engine.scrape({ url, maxAge: 0, storeInCache: false })).markdown.length
    expect(new Set(await Promise.all([ask(), ask()])).size).toBe(1)
    expect(requests.count).toBe(2)
  })
})
