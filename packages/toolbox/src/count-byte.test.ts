import { expect, test } from 'vitest'

import { countByte } from './count-byte.ts'

/** Returns `count` numbers that look random and are the same in every run. */
function mixed(pool: readonly number[], count: number, seed: number): number[] {
  let state = seed + 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return pool[(state >>> 8) % pool.length]!
  })
}

/** The same bytes at an offset of a buffer, between other bytes that must not be counted. */
function at(offset: number, bytes: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(bytes.length + offset + 8).fill(0x3c)
  buffer.set(bytes, offset)
  return buffer.subarray(offset, offset + bytes.length)
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed)

test.each([0, 1, 2, 3])('a byte is counted wherever it is, at the offset %s of its buffer', (offset) => {
  // Most of them differ from the counted byte in one bit.
  const pool = [0x3c, 0x3d, 0x3e, 0x38, 0x34, 0xbc, 0x1c, 0x7c, 0x2c, 0, 0x80, 0xff]
  for (const seed of seeds) {
    const values = mixed(pool, seed, seed)
    const bytes = at(offset, Uint8Array.from(values))
    expect(countByte(bytes, 0x3c, Infinity)).toBe(values.filter((value) => value === 0x3c).length)
  }
})

test('counting ends once there are more than the limit', () => {
  const many = new Uint8Array(10_000).fill(0x3c)
  expect(countByte(many, 0x3c, 100)).toBeGreaterThan(100)
  expect(countByte(many, 0x3c, 100)).toBeLessThan(110)
  expect(countByte(many, 0x3c, 10_000)).toBe(10_000)
})
