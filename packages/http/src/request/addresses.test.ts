import { expect, test } from 'vitest'

import { makeRequestUrls, type AddressOptions } from './addresses.ts'

function asked(url: string, headers: Record<string, string> = {}, options: AddressOptions = {}, base?: string): string {
  return makeRequestUrls(options).at(new Request(url, { headers }), { base })
}

test.each([
  ['http://localhost:3002/v2/scrape?x=/', undefined, 'http://localhost:3002'],
  ['http://[::1]:3002/', undefined, 'http://[::1]:3002'],
  ['http://api.example/v2/scrape', 'https', 'https://api.example'],
  ['http://api.example/v2/scrape', 'HTTPS, http', 'https://api.example'],
  ['https://api.example/v2/scrape', 'http', 'http://api.example'],
  ['http://api.example/v2/scrape', 'javascript', 'http://api.example'],
  ['http://api.example/v2/scrape', '', 'http://api.example'],
])('who asks %s, forwarded from %s, reaches the server at %s', (url, forwarded, origin) => {
  expect(asked(url, forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded })).toBe(origin)
})

const behind = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'web.example:8443, inner',
  'x-forwarded-prefix': '/data/',
}

test('the host and the path of a proxy are believed only when the operator trusts it', () => {
  expect(asked('http://127.0.0.1:3002/v2/scrape', behind)).toBe('https://127.0.0.1:3002')
  const trusted = { trustProxy: true }
  expect(asked('http://127.0.0.1:3002/v2/scrape', behind, trusted)).toBe('https://web.example:8443/data')
  expect(asked('http://127.0.0.1:3002/v2/scrape', behind, { trustProxy: true, basePath: '/web' })).toBe(
    'https://web.example:8443/data/web',
  )
  const hostile = { 'x-forwarded-host': 'a.example/evil', 'x-forwarded-prefix': '//evil.example' }
  expect(asked('http://127.0.0.1:3002/v2/scrape', hostile, trusted)).toBe('http://127.0.0.1:3002')
})

test('a public address stands before everything else', () => {
  const options = { publicUrl: 'https://example.com/web/', basePath: '/inner', trustProxy: true }
  expect(asked('http://127.0.0.1:3002/inner/v2/scrape', behind, options, '/mounted')).toBe('https://example.com/web')
})

test('the path of a framework stands in links, unless a path was configured', () => {
  expect(asked('http://a.example/v2/scrape', {}, {}, '/mounted')).toBe('http://a.example/mounted')
  expect(asked('http://a.example/v2/scrape', {}, { basePath: '/web/' }, '/web')).toBe('http://a.example/web')
})

test.each([
  ['/web/v2/scrape', '/v2/scrape'],
  ['/web', '/'],
  ['/web/', '/'],
  ['/v2/scrape?x=/web', '/v2/scrape'],
  ['/website/v2', '/website/v2'],
  ['', '/'],
])('mounted under /web, %s is for %s', (path, found) => {
  const { pathOf } = makeRequestUrls({ basePath: '/web' })
  expect(pathOf(new Request(`http://a.example${path}`))).toBe(found)
})

test.each([
  { basePath: 'web' },
  { basePath: '/a?b' },
  { publicUrl: 'example.com' },
  { publicUrl: 'https://a.example/?x' },
])('what is no address is refused by name: %j', (options) => {
  expect(() => makeRequestUrls(options)).toThrow(new RegExp(`^${Object.keys(options)[0]} is`))
})
