// A whole engine, real pages and real proxies, all on loopback.
import { startSite } from '@harvestman/testing'
import { expect, onTestFinished, test } from 'vitest'

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

test('auto passes a host that refuses one proxy and takes the other', async () => {
  const basic = await httpProxy()
  const enhanced = await httpProxy()
  const page = '<main><h1>Inside</h1><p>Words that are long enough to be taken for the text of this page.</p></main>'
  // Hosts know a proxy by its address; here all have one, so the first visitor is the one that is refused.
  let visits = 0
  const site = await serve((_request, response) => {
    visits += 1
    response.writeHead(visits === 1 ? 429 : 200, { 'content-type': 'text/html' }).end(page)
  })
  const engine = await engineThrough({ basic: [basic.url], enhanced: [enhanced.url] })
  const { metadata, markdown, explain } = await engine.scrape({ url: site.origin, proxy: 'auto' }, { explain: true })
  expect(markdown).toContain('# Inside')
  expect(metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
  expect([basic.asked.length, enhanced.asked.length]).toEqual([1, 1])
  expect(explain?.steps.map(({ step, outcome }) => `${step}: ${outcome}`)).toContain('proxy: enhanced next')
})
