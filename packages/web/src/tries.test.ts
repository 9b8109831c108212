import { describe, expect, test } from 'vitest'

import { counterOf, makeTries } from './tries.ts'

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

test('An IPv6 network is counted as one caller, an IPv4 address by itself', () => {
  const one = counterOf('2001:db8:1:2::1')
  expect(counterOf('2001:db8:1:2:ffff::9')).toBe(one)
  expect(counterOf('2001:db8:1:3::1')).not.toBe(one)
  expect(counterOf('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(counterOf('203.0.113.9')).toBe('203.0.113.9')
})
