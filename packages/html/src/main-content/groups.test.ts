import { expect, test } from 'vitest'
import { columnOf, groupRows } from './groups.ts'
import { addRow, makeIntTable } from './tables.ts'

/** The groups as a `Map` finds them. */
function expected(keys: readonly string[]): number[] {
  const groups = new Map<string, number>()
  return keys.map((key) => groups.get(key) ?? (groups.set(key, groups.size), groups.size - 1))
}

test('rows with equal keys are in one group, numbered by its first row', () => {
  expect(groupRows(Int32Array.of(7, -1, 7, 0, -1))).toEqual({ of: Int32Array.of(0, 1, 0, 2, 1), count: 3 })
})

test('with two keys, both must be equal', () => {
  const { of } = groupRows(Int32Array.of(1, 1, 2, 1), Int32Array.of(5, 6, 5, 5))
  expect(of).toEqual(Int32Array.of(0, 1, 2, 0))
})

test('no rows have no groups, and earlier calls do not matter', () => {
  groupRows(Int32Array.of(1, 2, 3))
  expect(groupRows(new Int32Array(0))).toEqual({ of: new Int32Array(0), count: 0 })
  expect(groupRows(Int32Array.of(3)).count).toBe(1)
})

test('many rows have the same groups as in a map', () => {
  const keys = Int32Array.from({ length: 20_000 }, (_, i) => Math.imul(i % 7_001, 0x9e3779b1))
  const more = Int32Array.from({ length: 20_000 }, (_, i) => i % 3)
  expect([...groupRows(keys).of]).toEqual(expected([...keys].map(String)))
  expect([...groupRows(keys, more).of]).toEqual(expected([...keys].map((key, i) => `${key} ${more[i]}`)))
})

const rows = 32_768
/** Counts the reads of keys: one for each row, and one for each comparison with the key of a group. */
function countReads(keys: Int32Array, more?: Int32Array): number {
  let reads = 0
  const counted = new Proxy(keys, {
    get(target, name) {
      if (typeof name === 'string' && /^\d/.test(name)) reads++
      return Reflect.get(target, name, target) as unknown
    },
  })
  groupRows(counted, more)
  return reads
}

test.each([
  ['numbered', (i: number) => i],
  ['multiples of 256', (i: number) => i << 8],
  ['multiples of 2^17', (i: number) => i << 17],
])('different keys need few comparisons, also if they are %s', (_, keyOf) => {
  const keys = Int32Array.from({ length: rows }, (_row, i) => keyOf(i))
  expect([...groupRows(keys).of]).toEqual(expected([...keys].map(String)))
  expect(countReads(keys)).toBeLessThan(rows * 4)
  expect(countReads(new Int32Array(rows), keys)).toBeLessThan(rows * 4)
  const halves = [(i: number) => keyOf(i >> 8), (i: number) => keyOf(i & 255)] as const
  const [high, low] = halves.map((half) => Int32Array.from({ length: rows }, (_row, i) => half(i)))
  expect(countReads(high!, low)).toBeLessThan(rows * 4)
})

test('a column of a table has one key for each row', () => {
  const table = makeIntTable(2, 1)
  for (const value of [4, 5, 6]) {
    const at = addRow(table)
    table.data[at + 1] = value
  }
  expect(columnOf(table, 1)).toEqual(Int32Array.of(4, 5, 6))
})
