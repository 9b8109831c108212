import { expect, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { proxiesOf, withoutSecrets } from './proxies.ts'
import { parseProxyBudget } from './proxy-budget.ts'

async function picked(env: Environment, tier: 'basic' | 'enhanced'): Promise<string | undefined> {
  return (await proxiesOf(readConfig({ env }).config)?.pick({ tier, country: 'US' }))?.url
}

test('proxies come from the environment: ours, or the names of the public API', { tags: ['long'] }, async () => {
  expect(await picked({ HARVESTMAN_PROXY: 'http://user:word@a.example:1' }, 'basic')).toBe(
    'http://user:word@a.example:1',
  )
  expect(await picked({ PROXY_SERVER: 'a.example:8080' }, 'basic')).toBe('http://a.example:8080/')
  const env = { HARVESTMAN_PROXY: 'http://a.example', HARVESTMAN_PROXY_ENHANCED: 'socks5://b.example:9' }
  expect(await picked(env, 'enhanced')).toMatch(/^socks5:\/\/b\.example:9/)
})

test('a name and a password beside the address go with it, whatever is in them', async () => {
  const env = { PROXY_SERVER: 'http://a.example:1', PROXY_USERNAME: 'us er', PROXY_PASSWORD: 'p@:/word' }
  const url = new URL((await picked(env, 'basic')) ?? '')
  expect([decodeURIComponent(url.username), decodeURIComponent(url.password), url.host]).toEqual([
    'us er',
    'p@:/word',
    'a.example:1',
  ])
  const own = { ...env, PROXY_SERVER: 'http://x:y@a.example:1' }
  expect(await picked(own, 'basic')).toBe('http://x:y@a.example:1')
})

test('without any there are none', () => {
  expect(proxiesOf(readConfig({}).config)).toBeUndefined()
})

test('what is no proxy is refused under the name that was set, and not repeated', () => {
  const read = () => readConfig({ env: { HARVESTMAN_PROXY: 'gopher://user:secret@a.example' } })
  expect(read).toThrow(/^(?!.*secret).*proxies.*HARVESTMAN_PROXY/)
})

test('what is shown of a proxy has no password', () => {
  expect(withoutSecrets('http://user:word@a.example:8080/')).toBe('http://a.example:8080')
})

test.each([
  ['5000 requests/day', { per: 'day', requests: 5_000, bytes: undefined }],
  ['1 request / hour', { per: 'hour', requests: 1, bytes: undefined }],
  ['2000 requests/month, 1.5 GB/month', { per: 'month', requests: 2_000, bytes: 1_500_000_000 }],
])('%j is a budget', (text, budget) => {
  expect(parseProxyBudget(text)).toEqual(budget)
})

test.each(['', '5000', '5000/day', '-1 GB/day', '1 GB/week', '1 GB/day, 5 requests/hour', '1 GB/day, 2 GB/day'])(
  '%j is no budget, and is refused under the name that was set',
  (text) => {
    expect(parseProxyBudget(text)).toBeUndefined()
    const read = () => readConfig({ env: { HARVESTMAN_PROXY_BUDGET: text || ',' } })
    expect(read).toThrow(/proxyBudget.*HARVESTMAN_PROXY_BUDGET/)
  },
)

test('a budget of the environment limits its tier', async () => {
  const env = { HARVESTMAN_PROXY: 'http://a.example', HARVESTMAN_PROXY_BUDGET: '2 requests/month' }
  const proxies = proxiesOf(readConfig({ env }).config)
  const pick = () => proxies?.pick({ tier: 'basic', country: 'US' })
  await pick()
  await pick()
  await expect(pick()).rejects.toMatchObject({ code: 'proxy_budget_exceeded' })
})
