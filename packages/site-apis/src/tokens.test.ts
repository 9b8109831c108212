import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { hasSecretInPath, isOpaque, isOpaqueHeader, originOf, tokenIn } from './tokens.ts'

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
  const sources = { page: exchange(`<meta name="csrf" content="${token}">`), earlier: [], cookies: '' }
  const origin = originOf(token, sources)
  expect(origin).toMatchObject({ in: 'page', after: '"' })
  expect(JSON.stringify(origin)).not.toContain(token)
  const place = origin?.in === 'page' ? origin : { before: '', after: '' }
  expect(tokenIn('<p></p><meta name="csrf" content="other">', place)).toBe('other')
})

test('a token of a cookie comes from the cookie, even if the page contains it', () => {
  const sources = { page: exchange(`"${token}"`), earlier: [], cookies: `a=1; csrf=${token}` }
  expect(originOf(token, sources)).toEqual({ in: 'cookie', name: 'csrf' })
})

test('a response to a POST request is not the origin of a token, because it is not repeated', () => {
  const post = exchange(`{"token":"${token}"}`, { method: 'POST', sent: '{}' })
  expect(originOf(token, { page: exchange(''), earlier: [post], cookies: '' })).toBeUndefined()
  const get = { ...post, method: 'GET', sent: undefined, url: 'https://a.example/session' }
  expect(originOf(token, { page: exchange(''), earlier: [get], cookies: '' })).toMatchObject({ in: 'response' })
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
    expect(originOf(value, { page: exchange(''), earlier, cookies: '' })).toBeUndefined()
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
