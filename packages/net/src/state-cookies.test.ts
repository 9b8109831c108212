import { describe, expect, test } from 'vitest'

import { makeCookies } from './cookies.ts'
import { cookiesIn, withChanges } from './state-cookies.ts'

const cookie = {
  name: 'a',
  value: '1',
  domain: 'shop.example.com',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: true,
}
const sent = (entry: object, url: string): readonly string[] =>
  makeCookies(cookiesIn({ cookies: [{ ...cookie, ...entry }] })).of(new URL(url))

describe('a saved cookie', () => {
  test.each<[string, object, string]>([
    ['to its host', {}, 'https://shop.example.com/orders'],
    ['to a subdomain, if its domain begins with a dot', { domain: '.example.com' }, 'https://shop.example.com/'],
    ['below its path', { path: '/orders' }, 'https://shop.example.com/orders/1'],
    ['over http, if it is not secure', { secure: false }, 'http://shop.example.com/'],
    ['until it expires', { expires: Date.now() / 1_000 + 60 }, 'https://shop.example.com/'],
    ['to an IP address', { domain: '192.0.2.1', secure: false }, 'http://192.0.2.1:8080/'],
  ])('is sent %s', (_, entry, url) => {
    expect(sent(entry, url)).toEqual(['a=1'])
  })

  test.each<[string, object, string]>([
    ['to another host', {}, 'https://example.com/'],
    ['to a subdomain of its host', {}, 'https://www.shop.example.com/'],
    ['to a host whose name ends alike', { domain: '.example.com' }, 'https://badexample.com/'],
    ['outside its path', { path: '/orders' }, 'https://shop.example.com/ordersx'],
    ['over http, if it is secure', {}, 'http://shop.example.com/'],
    ['after it has expired', { expires: 1 }, 'https://shop.example.com/'],
    ['if its domain is a public suffix', { domain: '.co.uk' }, 'https://shop.co.uk/'],
    ['if its name demands another origin', { name: '__Host-a', domain: '.example.com' }, 'https://shop.example.com/'],
    ['if it is for one top-level site', { partitionKey: { topLevelSite: 'x' } }, 'https://shop.example.com/'],
  ])('is not sent %s', (_, entry, url) => {
    expect(sent(entry, url)).toEqual([])
  })
})

const shop = new URL('https://shop.example.com/')
const many = (length: number, more: object) =>
  Array.from({ length }, (_, index) => ({ ...cookie, name: `c${index}`, ...more }))

test('of the cookies of a domain, the newest 180 that have not expired are used', () => {
  const cookies = [
    ...many(4_000, { domain: 'other.example' }),
    ...many(181, {}),
    ...many(200, { expires: 1, path: '/old' }),
  ]
  const used = makeCookies(cookiesIn({ cookies })).of(shop)
  expect([used.length, used.includes('c0=1'), used.includes('c180=1')]).toEqual([180, false, true])
})

test.each([undefined, null, 3, 'text', [], { cookies: 3 }, { cookies: [3, null, { name: 'a' }] }])(
  'a state of another form has no cookies: %j',
  (state) => {
    expect(cookiesIn(state)).toEqual([])
  },
)

describe('the state after a response', () => {
  const other = { ...cookie, name: 'other', partitionKey: { topLevelSite: 'https://x.example' } }
  const state = {
    cookies: [{ ...cookie, priority: 'High', session: true }, other],
    storage: { 'https://x.example': {} },
  }
  const after = (...setCookies: readonly string[]) => {
    const cookies = makeCookies(cookiesIn(state))
    cookies.keep(setCookies, new URL('https://shop.example.com/'))
    return withChanges(state, cookies.changes(), Date.now())
  }

  test('has the new value of a cookie, and all that the response did not set', () => {
    expect(after('a=2; Secure; HttpOnly; SameSite=Lax')).toEqual({
      cookies: [other, { ...cookie, value: '2', sameSite: 'Lax', priority: 'High' }],
      storage: state.storage,
    })
  })

  test('has a new cookie with its domain and its expiry', () => {
    expect(after('b=1; Domain=example.com; Max-Age=60')).toMatchObject({
      cookies: [
        { name: 'a' },
        { name: 'other' },
        { name: 'b', domain: '.example.com', expires: expect.closeTo(Date.now() / 1_000 + 60, -1), secure: false },
      ],
    })
  })

  test('does not have a cookie that the response deleted', () => {
    expect(after('a=; Max-Age=0')).toMatchObject({ cookies: [{ name: 'other' }] })
  })

  test('has no expired cookies, and the newest 180 of a domain', () => {
    const before = { cookies: [...many(180, {}), { ...cookie, name: 'old', domain: 'a.example', expires: 1 }] }
    const changes = [{ cookie, isDeleted: false }]
    const next = cookiesIn(withChanges(before, changes, Date.now()))
    expect(next.map(({ name }) => name)).toEqual([
      ...many(180, {})
        .map(({ name }) => name)
        .slice(1),
      'a',
    ])
  })

  test('has a later expiry once a quarter of the time has passed', () => {
    const at = (seconds: number) => ({ cookies: [{ ...cookie, expires: seconds }] })
    const renewed = (elapsed: number) =>
      withChanges(at(1_000), [{ cookie: { ...cookie, expires: 1_000 + elapsed }, isDeleted: false }], elapsed * 1_000)
    expect([renewed(200), renewed(300)]).toEqual([undefined, at(1_300)])
  })

  test('is unchanged by a cookie for one top-level site, which later requests of the scrape still get', () => {
    const cookies = makeCookies(cookiesIn(state))
    cookies.keep(['b=1; Secure; Partitioned'], shop)
    expect([withChanges(state, cookies.changes(), Date.now()), cookies.of(shop)]).toEqual([undefined, ['a=1', 'b=1']])
  })

  test('is unchanged without a change', () => {
    expect([after(), after('a=1; Secure; HttpOnly'), after('c=; Max-Age=0')]).toEqual([undefined, undefined, undefined])
  })

  test('is unchanged by a cookie for another site', () => {
    expect(after('b=1; Domain=other.example', 'b=1; Domain=com')).toBeUndefined()
  })
})
