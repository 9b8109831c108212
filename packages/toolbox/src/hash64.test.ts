import { expect, test } from 'vitest'

import { hash64, type Hash64 } from './hash64.ts'

const hashOf = (text: string): Hash64 => {
  const out = { high: 0, low: 0 }
  hash64(text, out)
  return out
}

test('either half of the hash has hardly more equals than chance gives among addresses that look alike', () => {
  const count = 200_000
  const highs = new Set<number>()
  const lows = new Set<number>()
  for (let number = 0; number < count; number += 1) {
    const { high, low } = hashOf(`https://example.com/a/${number % 1000}/b/${(number / 1000) | 0}?page=${number % 7}`)
    highs.add(high)
    lows.add(low)
  }
  // Chance alone gives count² / 2^33, which is five.
  expect(count - highs.size).toBeLessThan(20)
  expect(count - lows.size).toBeLessThan(20)
})

test('one changed letter changes about half of the bits', () => {
  const base = hashOf('https://example.com/some/page')
  const flips = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
    const other = hashOf(`https://example.com/some/pag${letter === 'e' ? 'E' : letter}`)
    return bits(base.high ^ other.high) + bits(base.low ^ other.low)
  })
  expect(flips.every((count) => count > 16 && count < 48)).toBe(true)
})

test('texts of the same letters in another order, and with one more letter, differ', () => {
  const texts = ['ab', 'ba', 'abc', 'acb', 'a', '', '\0', '\0\0', 'aab', 'aba', 'baa']
  expect(new Set(texts.map((text) => JSON.stringify(hashOf(text)))).size).toBe(texts.length)
})

function bits(number: number): number {
  return (number >>> 0).toString(2).replaceAll('0', '').length
}
