import { expect, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { proxiesOf, withoutSecrets } from './proxies.ts'

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
