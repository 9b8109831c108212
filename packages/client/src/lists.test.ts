import { expect, test } from 'vitest'

import { chunksOf, itemsOf } from './lists.ts'

test('items of all pages come in order, and the end is the page without a next', async () => {
  const pages = new Map([
    [undefined, { data: [1, 2], next: 'b' }],
    ['b', { data: [], next: 'c' }],
    ['c', { data: [3] }],
  ])
  const found: number[] = []
  for await (const item of itemsOf(async (after) => pages.get(after) ?? { data: [] })) found.push(item)
  expect(found).toEqual([1, 2, 3])
})

test('items of a list without next are read by their number, until a page is empty', async () => {
  const asked: number[] = []
  const read = async (_: string | undefined, offset: number) => {
    asked.push(offset)
    return [1, 2, 3].slice(offset, offset + 2)
  }
  const found: number[] = []
  for await (const item of itemsOf(read)) found.push(item)
  expect([found, asked]).toEqual([
    [1, 2, 3],
    [0, 2, 3],
  ])
})

test.each([
  ['with many names', 5_000, { values: { a: 1, b: 2 } }],
  ['with long texts', 200, { values: { text: 'x'.repeat(60_000) } }],
])('items %s are split into requests that a server accepts', (_, count, item) => {
  const items = Array.from({ length: count }, () => item)
  const chunks = [...chunksOf(items)]
  expect(chunks.flat()).toHaveLength(count)
  expect(chunks.length).toBeGreaterThan(1)
  for (const chunk of chunks) {
    const body = JSON.stringify({ rows: chunk })
    expect(body.split(':').length).toBeLessThan(10_000)
    expect(body.length).toBeLessThan(3_100_000)
  }
})

test('no items are no request', () => {
  expect([...chunksOf([])]).toEqual([])
})

test('a list whose pages have a cursor is read to its end', async () => {
  const pages = [
    { data: [1, 2], cursor: 'two' },
    { data: [3], cursor: null },
  ]
  const read: (string | undefined)[] = []
  const items = itemsOf(async (after) => {
    read.push(after)
    return pages[read.length - 1] ?? { data: [] }
  })
  const found: number[] = []
  for await (const item of items) found.push(item)
  expect(found).toEqual([1, 2, 3])
  expect(read).toEqual([undefined, 'two'])
})
