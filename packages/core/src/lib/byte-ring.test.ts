import { describe, expect, test } from 'vitest'

import { byteRing, type ByteRing } from './byte-ring.ts'

function put(ring: ByteRing, key: string, length: number, value = key.charCodeAt(0)): void {
  ring.set(key, [new Uint8Array(length).fill(value)])
}

function have(ring: ByteRing, keys: string): string {
  return keys
    .split('')
    .filter((key) => ring.get(key))
    .join('')
}

describe('a ring of bytes', () => {
  test('gives back what was put in, joined, and a fresh copy each time', () => {
    const ring = byteRing(10)
    const piece = new Uint8Array([1, 2])
    ring.set('a', [piece, new Uint8Array([3])])
    piece[0] = 9
    const first = ring.get('a')
    expect([...(first ?? [])]).toEqual([1, 2, 3])
    first?.fill(0)
    expect([...(ring.get('a') ?? [])]).toEqual([1, 2, 3])
    expect(ring.get('b')).toBeUndefined()
  })

  test('forgets what has been there longest, and no more than it must', () => {
    const ring = byteRing(10)
    for (const key of ['a', 'b', 'c']) put(ring, key, 3)
    expect(have(ring, 'abc')).toBe('abc')
    put(ring, 'd', 4)
    expect(have(ring, 'abcd')).toBe('cd')
  })

  test('gives the new value of a key that is put in again', () => {
    const ring = byteRing(10)
    put(ring, 'a', 4, 1)
    put(ring, 'b', 4)
    put(ring, 'a', 2, 2)
    expect([...(ring.get('a') ?? [])]).toEqual([2, 2])
    expect(have(ring, 'ab')).toBe('ab')
  })

  test('keeps nothing that is larger than itself, and forgets the key that it was to replace', () => {
    const ring = byteRing(10)
    put(ring, 'a', 4)
    put(ring, 'b', 4)
    put(ring, 'a', 11)
    expect(have(ring, 'ab')).toBe('b')
  })

  test('never mixes values, whatever sizes come in whatever order', () => {
    const ring = byteRing(1_000)
    const sizes = new Map<string, number>()
    let dice = 1
    for (let turn = 0; turn < 5_000; turn += 1) {
      dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0
      const key = String.fromCharCode(33 + ((dice >>> 8) % 60))
      const size = (dice >>> 16) % 400
      sizes.set(key, size)
      put(ring, key, size)
      expect(ring.get(key)?.length).toBe(size)
    }
    for (const [key, size] of sizes) {
      const bytes = ring.get(key)
      if (!bytes) continue
      expect(bytes.length).toBe(size)
      expect(bytes.every((byte) => byte === key.charCodeAt(0))).toBe(true)
    }
    expect([...sizes.keys()].filter((key) => ring.get(key)).length).toBeGreaterThan(1)
  })
})
