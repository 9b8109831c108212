import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { hasSecretInPath, originOf, tokenIn, withoutSecrets } from './tokens.ts'

const exchange = (text: string, more: Partial<Exchange> = {}): Exchange => ({
  ...{ method: 'GET', url: 'https://a.example/', headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map(), text },
  ...more,
})
const token = 'a1b2c3d4e5f6a7b8'

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

test.each([`/session/${token}`, `/start?x=${token}`, '/start?api_key=word', '/start?a={"token":"word"}'])(
  'a response with a secret in its URL %s is not an origin',
  (url) => {
    const value = 'f6e5d4c3b2a1f0e9'
    const earlier = [exchange(`{"value":"${value}"}`, { url: `https://a.example${url}` })]
    expect(originOf(value, { page: exchange(''), earlier, trusted: [], cookies: '' })).toBeUndefined()
  },
)

test.each([
  ['/lamps?kind=floor&code=abc&state=a1b2c3d4e5f6a7', '/lamps?kind=floor'],
  ['/lamps?next=left-out', '/lamps'],
  ['/lamps-of-spring-2024?page=2', '/lamps-of-spring-2024?page=2'],
  ['/lamps?q=WH-1000XM5-black&from=1700000000', '/lamps?q=WH-1000XM5-black&from=1700000000'],
  ['/lamps?category=floor-lamps-2024', '/lamps?category=floor-lamps-2024'],
  ['/p/iphone15promax', '/p/iphone15promax'],
  ['/p/1234567890', '/p/1234567890'],
  ['/lamps?from=20240102T030405Z', '/lamps?from=20240102T030405Z'],
  ['/lamps?r=MFRGGZDFMZTWQ2LK&q=a+b', '/lamps?q=a+b'],
  ['/lamps?r=mfrggzdfmztwq2lk', '/lamps'],
  ['/lamps?a={"token":"word"}&b={"kind":"floor"}', '/lamps?b=%7B%22kind%22%3A%22floor%22%7D'],
  ['/lamps?kind=a&code=1&kind=b&code=2', '/lamps?kind=a&kind=b'],
  ['/p/MFRGGZDFMZTWQ2LK', undefined],
  [`/lamps/${token}`, undefined],
  ['/session/word', undefined],
  ['/lamps/left-out', undefined],
  ['/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11/lamps', undefined],
])('without secrets, the page %s is %s', (path, expected) => {
  const url = withoutSecrets(new URL(path, 'https://a.example'), 'left-out')
  expect(url && url.pathname + url.search).toBe(expected)
})

test('the user name and the password of a page are removed from its URL', () => {
  expect(withoutSecrets(new URL('https://me:hunter2@a.example/lamps?q=1'), undefined)?.href).toBe(
    'https://a.example/lamps?q=1',
  )
})

test('a response whose URL has a password is not an origin', () => {
  const earlier = [exchange(`{"value":"${token}"}`, { url: 'https://me:hunter2@a.example/start' })]
  expect(originOf(token, { page: exchange(''), earlier, trusted: [], cookies: '' })).toBeUndefined()
})

test('a path with the placeholder of a redacted secret has a secret', () => {
  const page = new URL('https://a.example/lamps/left-out')
  expect(hasSecretInPath(new URL('/api/left-out', page), page, 'left-out')).toBe(true)
})
