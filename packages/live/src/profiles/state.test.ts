import { describe, expect, test } from 'vitest'

import { exportState, importState, type GivenCookie, type GivenState } from './state.ts'

const now = 1_800_000_000_000
const later = now / 1_000 + 1_000

const cookiesOf = (given: GivenState): readonly unknown[] => exportState(importState(given, now).state).cookies

const session = {
  name: 'session',
  value: 'abc',
  domain: '.shop.example',
  path: '/',
  expires: later,
  httpOnly: true,
  secure: true,
  sameSite: 'Lax' as const,
}

describe('an imported state', () => {
  test('of Playwright is exported unchanged', () => {
    const origins = [{ origin: 'https://shop.example', localStorage: [{ name: 'token', value: 't' }] }]
    const given = { cookies: [session, { ...session, name: 'id', expires: -1, domain: 'shop.example' }], origins }
    const imported = importState(given, now)
    expect(imported).toMatchObject({ cookies: 2, origins: 1, expired: 0 })
    expect(exportState(imported.state)).toEqual(given)
  })

  test('of a browser extension has the flags of its cookies', () => {
    const { expires, sameSite, domain, ...rest } = session
    const given = [
      { ...rest, domain, expirationDate: expires, sameSite: 'lax', hostOnly: false, storeId: '0', session: false },
      { ...rest, domain: 'shop.example', sameSite: 'unspecified', hostOnly: true, session: true },
      { ...rest, domain: 'shop.example', sameSite: 'no_restriction', hostOnly: false, secure: true },
      { ...rest, domain: 'shop.example', sameSite: 'no_restriction', hostOnly: true, secure: false },
    ]
    expect(cookiesOf(given)).toEqual([
      { ...session, sameSite },
      { ...rest, domain: 'shop.example', expires: -1 },
      { ...rest, domain: '.shop.example', expires: -1, sameSite: 'None' },
      { ...rest, domain: 'shop.example', expires: -1, secure: false },
    ])
  })

  test('of cookies.txt has all its cookies, also those marked as HttpOnly', () => {
    const text = [
      '# Netscape HTTP Cookie File',
      '',
      `#HttpOnly_.shop.example\tTRUE\t/\tTRUE\t${later}\tsession\tabc`,
      'shop.example\tFALSE\t/basket\tFALSE\t0\tbasket\t',
    ].join('\r\n')
    const { sameSite: _, ...plain } = session
    expect(cookiesOf(text)).toEqual([
      plain,
      {
        name: 'basket',
        value: '',
        domain: 'shop.example',
        path: '/basket',
        expires: -1,
        httpOnly: false,
        secure: false,
      },
    ])
  })

  test('has no expired cookies', () => {
    const given = [session, { ...session, name: 'old', expires: now / 1_000 - 1 }]
    expect(importState(given, now)).toMatchObject({ cookies: 1, expired: 1 })
  })

  const cookie = { name: 'a', value: 'b', domain: 'shop.example' }
  test.each<[string, GivenState]>([
    ['has no cookies and no origins', []],
    ['has no cookies and no origins', '# Netscape HTTP Cookie File\n'],
    ['line 2 of cookies.txt', '\nshop.example FALSE / FALSE 0 a b'],
    ['line 1 of cookies.txt', 'shop.example\tFALSE\t/\tFALSE\tnever\ta\tb'],
    ...['', '.', 'a b', 'shop.example/path', 'shop.example:80', 'user@shop.example'].map(
      (domain): [string, GivenState] => ['the domain of cookies[0]', [{ ...cookie, domain }]],
    ),
    ['no name and no value', [{ ...cookie, name: '', value: '' }]],
    ['that cookies cannot have', [{ ...cookie, value: 'a\r\nset-cookie: b=c' }]],
    ['that cookies cannot have', [{ ...cookie, name: 'a=b' }]],
    ['more than 4096 characters', [{ ...cookie, value: 'secret-value'.repeat(400) }]],
    ['does not start with a slash', [{ ...cookie, path: 'basket' }]],
    ['the origin of origins[0]', { cookies: [], origins: [{ origin: 'https://shop.example/', localStorage: [] }] }],
    ['the origin of origins[0]', { cookies: [], origins: [{ origin: 'file://', localStorage: [] }] }],
  ])('is refused if it %s', (message, given) => {
    expect(() => importState(given, now)).toThrow(message)
  })

  test('is refused without its values in the message', () => {
    const given: GivenCookie = { ...cookie, value: 'secret-value\n' }
    expect(() => importState([given], now)).toThrow(/^(?![^]*secret-value)state: /)
  })
})
