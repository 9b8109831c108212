// A whole engine, real pages and real proxies, all on loopback.
import { freePort, startSite } from '@harvestman/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { createEngine } from '../src/engine/engine.ts'
import { staticProxies } from '@harvestman/net'
import { httpProxy } from '../../net/test/proxy.ts'
import { serve } from '../../net/test/servers.ts'

async function engineThrough(options: Parameters<typeof staticProxies>[0]) {
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], proxies: staticProxies(options) })
  onTestFinished(() => engine.close())
  return engine
}

test('a scrape goes through the proxy of its tier, redirects too', async () => {
  const site = await startSite()
  onTestFinished(() => site.close())
  const basic = await httpProxy()
  const enhanced = await httpProxy({ credentials: 'user:word' })
  const engine = await engineThrough({ basic: [basic.url], enhanced: [enhanced.url] })
  const { metadata } = await engine.scrape({ url: `${site.url}/good/article` })
  expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'basic' })
  expect(basic.asked).toEqual([`GET ${site.url}/good/article`])
  await engine.scrape({ url: `${site.url}/redirect/chain/2`, proxy: 'enhanced' })
  expect(enhanced.asked).toHaveLength(3)
  expect(basic.asked).toHaveLength(1)
})

test('a pool loads every page though a proxy is dead, and asks a blocked one once for the host that blocks it', async () => {
  const page = '<main><h1>Inside</h1><p>Words that are long enough to be taken for the text of this page.</p></main>'
  const site = await serve(({ headers }, response) => {
    const isBlocked = headers.host?.startsWith('strict.test') && headers.via === 'blocked'
    response.writeHead(isBlocked ? 403 : 200, { 'content-type': 'text/html' }).end(page)
  })
  const all = { host: '127.0.0.1', port: site.port }
  const [good, other, blocked] = [
    await httpProxy({ all }),
    await httpProxy({ all }),
    await httpProxy({ all, via: 'blocked', credentials: 'user:word' }),
  ]
  const dead = `http://user:word@127.0.0.1:${await freePort()}`
  // No cool-down ends while the test runs, however long it takes.
  const clock = { now: () => 0, sleep: async () => undefined }
  const proxies = staticProxies({ basic: [dead, good.url, blocked.url, other.url], clock })
  await using engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    proxies,
  })
  const statuses: (number | undefined)[] = []
  for (const host of ['strict.test', 'free.test']) {
    for (let round = 0; round < 12; round += 1) {
      const { metadata } = await engine.scrape({ url: `http://${host}:8080/${round}` })
      statuses.push(metadata.statusCode)
    }
  }
  expect(statuses).toEqual(Array.from({ length: 24 }, () => 200))
  expect(blocked.asked.filter((line) => line.includes('strict.test'))).toHaveLength(1)
  const [first, , third] = await proxies.status()
  expect(first).toMatchObject({ state: 'resting', outcomes: { ok: 0, down: 1 } })
  expect(third).toMatchObject({ state: 'ready', bans: 1, outcomes: { blocked: 1 } })
  const bytes = async () => (await proxies.status())[2]?.bytes
  await vi.waitFor(async () => expect(await bytes()).toBeGreaterThan(page.length), { timeout: 60_000 })
  expect(JSON.stringify(await proxies.status())).not.toContain('word')
})

test('auto passes a host that refuses one proxy and takes the other', async () => {
  const basic = await httpProxy()
  const enhanced = await httpProxy()
  const page = '<main><h1>Inside</h1><p>Words that are long enough to be taken for the text of this page.</p></main>'
  // Hosts know a proxy by its address; here all have one, so the first visitor is the one that is refused.
  let visits = 0
  const site = await serve((_request, response) => {
    visits += 1
    response.writeHead(visits === 1 ? 403 : 200, { 'content-type': 'text/html' }).end(page)
  })
  const engine = await engineThrough({ basic: [basic.url], enhanced: [enhanced.url] })
  const { metadata, markdown, explain } = await engine.scrape({ url: site.origin, proxy: 'auto' }, { explain: true })
  expect(markdown).toContain('# Inside')
  expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
  expect([basic.asked.length, enhanced.asked.length]).toEqual([1, 1])
  expect(explain?.steps.map(({ step, outcome }) => `${step}: ${outcome}`)).toContain('proxy: enhanced next')
})
