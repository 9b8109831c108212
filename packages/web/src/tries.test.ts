import { describe, expect, test } from 'vitest'

import { callerOf, makeTries } from './tries.ts'

const from = (peer: string | undefined, forwarded?: string): string =>
  callerOf(new Request('http://a/', { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }), peer)

describe('tries', () => {
  test('of one caller are counted, and those of others go on', () => {
    const tries = makeTries(2, () => 0)
    expect(tries.begin('a')).toBeDefined()
    expect(tries.begin('a')).toBeDefined()
    expect(tries.begin('a')).toBeUndefined()
    expect(tries.begin('b')).toBeDefined()
  })

  test('that succeed do not count', () => {
    const tries = makeTries(2, () => 0)
    for (let number = 0; number < 50; number += 1) tries.begin('a')?.()
    expect(tries.begin('a')).toBeDefined()
  })

  test('count from anew in the next minute, and what is taken back late counts for none', () => {
    let now = 0
    const tries = makeTries(1, () => now)
    const takeBack = tries.begin('a')
    expect(tries.begin('a')).toBeUndefined()
    now = 60_000
    expect(tries.begin('a')).toBeDefined()
    takeBack?.()
    expect(tries.begin('a')).toBeUndefined()
  })
})

describe('a caller', () => {
  test('is who is connected, whatever a list says', () => {
    expect(from('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
    expect(from('203.0.113.9')).toBe('203.0.113.9')
    expect(from('::ffff:203.0.113.9')).toBe('203.0.113.9')
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '172.18.0.2', '192.168.1.4', 'fd00::4', undefined])(
    'is who a proxy in the own network names last: %s',
    (proxy) => {
      expect(from(proxy, '9.9.9.9, 198.51.100.1')).toBe('198.51.100.1')
      expect(from(proxy, 'nobody')).toBe(from(proxy))
    },
  )

  test('has all addresses of a network', () => {
    const one = from('2001:db8:1:2::1')
    expect(from('2001:db8:1:2:ffff::9')).toBe(one)
    expect(from('2001:db8:1:3::1')).not.toBe(one)
    expect(from('fe80::1%eth0')).toBe('fe80:0:0:0')
  })
})
