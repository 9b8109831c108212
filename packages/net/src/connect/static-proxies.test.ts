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

test.each([
  { per: 'week', requests: 1 },
  { per: 'day' },
  { per: 'day', bytes: -1 },
  { per: 'hour', cost: Number.NaN },
] as never[])('%j is no budget, and is refused at once', (budget) => {
  expect(() => staticProxies({ basic: [{ url: 'http://a', budget }] })).toThrow('is not a budget')
  expect(() => staticProxies({ basic: ['http://a'], budgets: { basic: budget } })).toThrow('is not a budget')
})

test('proxies have names without credentials, and several users of one proxy are several proxies', async () => {
  const proxies = staticProxies({
    basic: ['http://one:secret@a', 'http://two:secret@a', { url: 'socks5://[::1]:9', name: 'home' }],
    enhanced: ['socks5://[::1]:9'],
  })
  expect((await proxies.status()).map(({ name }) => name)).toEqual(['a:80', 'a:80 #2', 'home', '[::1]:9'])
  expect(new Set(await picks(proxies, 'basic', 'US', 3)).size).toBe(3)
})
