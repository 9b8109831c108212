import { expect, test } from 'vitest'

import type { Proxies } from '@harvestman/ports'
import { staticProxies } from './static-proxies.ts'

async function picks(proxies: Proxies, tier: 'basic' | 'enhanced', country: string, times = 1) {
  const found: (string | undefined)[] = []
  for (let time = 0; time < times; time += 1) found.push((await proxies.pick({ tier, country }))?.url)
  return found
}

test('each proxy of a tier has its turn', async () => {
  const proxies = staticProxies({ basic: ['http://a', 'http://b'], enhanced: ['http://c'] })
  expect(await picks(proxies, 'basic', 'US', 3)).toEqual(['http://a', 'http://b', 'http://a'])
  expect(await picks(proxies, 'enhanced', 'US', 2)).toEqual(['http://c', 'http://c'])
})

test('a proxy of the country asked for is preferred, and one of another country never taken', async () => {
  const proxies = staticProxies({ basic: ['http://anywhere', { url: 'http://de', country: 'de' }] })
  expect(await picks(proxies, 'basic', 'DE', 2)).toEqual(['http://de', 'http://de'])
  expect(await picks(proxies, 'basic', 'US', 2)).toEqual(['http://anywhere', 'http://anywhere'])
  const german = staticProxies({ enhanced: [{ url: 'http://de', country: 'DE' }] })
  expect(await picks(german, 'enhanced', 'US')).toEqual([undefined])
})

test('a tier without proxies gives none', async () => {
  expect(await picks(staticProxies({ basic: ['http://a'] }), 'enhanced', 'US')).toEqual([undefined])
})

test.each(['example.com:8080', 'ftp://a', '', 'http://'])(
  '%j is no address of a proxy, and is refused at once',
  (url) => {
    expect(() => staticProxies({ basic: [url] })).toThrow('not the URL of a proxy')
  },
)
