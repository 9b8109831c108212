import { describe, expect, test } from 'vitest'

import { hasCredentials, isSealed, openVault } from './vault.ts'

const request = {
  url: 'https://me:pa55@a.test/',
  scrapeOptions: { headers: { authorization: 'Bearer t0ken' }, actions: [{ type: 'write', text: 'pa55' }] },
  webhook: { url: 'https://b.test/?api_key=k3y', headers: { 'x-api-key': 'k3y' } },
  limit: 3,
}
const key = 'a key of 16 or more'

describe('a vault', () => {
  test('encrypts headers, actions and URLs with credentials, and gives them back with the same key', () => {
    const sealed = openVault(key).seal(request)
    expect(JSON.stringify(sealed)).not.toMatch(/pa55|t0ken|k3y/)
    expect(sealed).toMatchObject({ limit: 3 })
    expect(openVault(key).open(sealed)).toEqual(request)
  })

  test('leaves values without credentials as they are, and encrypts nothing twice', () => {
    const vault = openVault(key)
    const plain = { url: 'https://a.test/', headers: {}, actions: [], list: ['a@b.test', 'x?token=1'] }
    expect(vault.seal(plain)).toBe(plain)
    const sealed = vault.seal(request)
    expect(vault.seal(sealed)).toBe(sealed)
    expect(vault.seal(request)).toEqual(sealed)
  })

  test('with another key leaves credentials encrypted, and they can be told', () => {
    const opened = openVault('another key, as long').open(openVault(key).seal(request)) as typeof request
    expect([opened.url, opened.scrapeOptions.headers, opened.scrapeOptions.actions].map(isSealed)).toEqual([
      ...[true, true, true],
    ])
    expect(openVault(key).open(opened)).toEqual(request)
  })

  test('without a key serves the engines of one process', () => {
    expect(openVault().open(openVault().seal(request))).toEqual(request)
  })
})

test.each([
  ['https://a.test/?q=token', false],
  ['https://a.test/@name', false],
  ['mailto:a@b.test', false],
  ['https://a.test/?x=1&access_token=x', true],
  ['http://me@a.test/', true],
  ['https://hooks.slack.com/services/T/B/x', true],
])('%s has credentials: %s', (url, expected) => {
  expect(hasCredentials(url)).toBe(expected)
})
