import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { hasSecretInPath, isOpaque, isOpaqueHeader, isSecretName, originOf, tokenIn, withoutSecrets } from './tokens.ts'

const exchange = (text: string, more: Partial<Exchange> = {}): Exchange => ({
  ...{ method: 'GET', url: 'https://a.example/', headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map(), text },
  ...more,
})
const token = 'a1b2c3d4e5f6a7b8'

test.each([
  [token, true],
  ['1764479900', true],
  ['1764479900123', true],
  ['lamps', false],
  ['query Lamps($first: Int) { lamps }', false],
  [12, false],
])('%s may be a secret: %s', (value, expected) => {
  expect(isOpaque(value)).toBe(expected)
})

test('a token is found again in another response by the text around it', () => {
  const sources = { page: exchange(`<meta name="csrf" content="${token}">`), earlier: [], trusted: [], cookies: '' }
  const origin = originOf(token, sources)
  expect(origin).toMatchObject({ in: 'page', after: '"' })
  expect(JSON.stringify(origin)).not.toContain(token)
  const place = origin?.in === 'page' ? origin : { before: '', after: '' }
  expect(tokenIn('<p></p><meta name="csrf" content="other">', place)).toBe('other')
})

test('a token of a cookie comes from the cookie, even if the page contains it', () => {
  const sources = { page: exchange(`"${token}"`), earlier: [], trusted: [], cookies: `a=1; csrf=${token}` }
  expect(originOf(token, sources)).toEqual({ in: 'cookie', name: 'csrf' })
})

test('a response to a POST request is not the origin of a token, because it is not repeated', () => {
  const post = exchange(`{"token":"${token}"}`, { method: 'POST', sent: '{}' })
  expect(originOf(token, { page: exchange(''), earlier: [post], trusted: [], cookies: '' })).toBeUndefined()
  const get = { ...post, method: 'GET', sent: undefined, url: 'https://a.example/session' }
  expect(originOf(token, { page: exchange(''), earlier: [get], trusted: [], cookies: '' })).toMatchObject({
    in: 'response',
  })
})

test.each([
  ['/api/lamps', false],
  [`/api/${token}/lamps`, true],
  ['/api/token/word/lamps', true],
  ['/lamps/a9b8c7d6e5f4/api', false],
])('the path %s may contain a secret: %s', (path, expected) => {
  const page = new URL('https://a.example/lamps/a9b8c7d6e5f4')
  expect(hasSecretInPath(new URL(path, page), page)).toBe(expected)
})

test.each([`/session/${token}`, `/start?x=${token}`, '/start?api_key=word'])(
  'a response with a secret in its URL %s is not an origin',
  (url) => {
    const value = 'f6e5d4c3b2a1f0e9'
    const earlier = [exchange(`{"value":"${value}"}`, { url: `https://a.example${url}` })]
    expect(originOf(value, { page: exchange(''), earlier, trusted: [], cookies: '' })).toBeUndefined()
  },
)

test.each([
  ['abcdefghijklmnopqrstuvwxyz', true],
  ['application/vnd.lamps+json', false],
  ['XMLHttpRequest', false],
  ['some words that are long', false],
  [`a1${'b'.repeat(5_000)}`, true],
])('the header value %.30s may be a secret: %s', (value, expected) => {
  expect(isOpaqueHeader(value)).toBe(expected)
})

test.each([
  'password',
  'userPwd',
  'user_pass',
  'pin',
  'otp',
  'credentials',
  'jwt',
  'sid',
  'code',
  'apiKey',
  'loginCode',
  'Authorization',
  'authKey',
  'signature',
  'X-Signed',
  'userpassword',
  'Password1',
  'loginpwd',
  'userpass',
  'passcode',
  'pincode',
  'sig',
  'hmac',
  'x-userpwd',
])('a value named %s is secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each([
  ...['passengers', 'shipping', 'side', 'countryCode', 'page', 'q', 'keyword', 'keywords', 'search-keyword', 'author'],
  ...['authors', 'design', 'designer', 'assignee', 'signal', 'keyboardLayout', 'compass'],
])('a value named %s is not secret', (name) => {
  expect(isSecretName(name)).toBe(false)
})

test.each([
  ['/lamps?kind=floor&code=abc&state=a1b2c3d4e5f6a7', '/lamps?kind=floor'],
  ['/lamps?next=left-out', '/lamps'],
  ['/lamps-of-spring-2024?page=2', '/lamps-of-spring-2024?page=2'],
  ['/lamps?q=WH-1000XM5-black&from=1700000000', '/lamps?q=WH-1000XM5-black&from=1700000000'],
  ['/lamps?category=floor-lamps-2024', '/lamps?category=floor-lamps-2024'],
  ['/p/iphone15promax', '/p/iphone15promax'],
  ['/p/1234567890', '/p/1234567890'],
  [`/lamps/${token}`, undefined],
  ['/session/word', undefined],
  ['/lamps/left-out', undefined],
  ['/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11/lamps', undefined],
])('without secrets, the page %s is %s', (path, expected) => {
  const url = withoutSecrets(new URL(path, 'https://a.example'), 'left-out')
  expect(url && url.pathname + url.search).toBe(expected)
})

test('a path with the placeholder of a redacted secret has a secret', () => {
  const page = new URL('https://a.example/lamps/left-out')
  expect(hasSecretInPath(new URL('/api/left-out', page), page, 'left-out')).toBe(true)
})
