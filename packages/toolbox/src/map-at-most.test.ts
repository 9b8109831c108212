import { expect, test } from 'vitest'

import { mapAtMost } from './map-at-most.ts'

/** Work that ends when it is told, and what was started so far. */
function bench(count: number, limit: number) {
  const items = Array.from({ length: count }, (_, index) => ({ index, ...Promise.withResolvers<string>() }))
  const started: number[] = []
  const all = mapAtMost(items, limit, async ({ index, promise }) => {
    started.push(index)
    return promise
  })
  const settle = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
  return { items, started, all, settle }
}

test('at most the limit run at a time, and the next starts when one ends', async () => {
  const { items, started, all, settle } = bench(4, 2)
  await settle()
  expect(started).toEqual([0, 1])
  items[1]?.resolve('b')
  await settle()
  expect(started).toEqual([0, 1, 2])
  for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) items[index]?.resolve(name)
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
})

test('after an error, which is the result, nothing more is started', async () => {
  const { items, started, all, settle } = bench(4, 2)
  await settle()
  items[0]?.reject(new Error('full'))
  await expect(all).rejects.toThrow('full')
  items[1]?.resolve('b')
  await settle()
  expect(started).toEqual([0, 1])
})

test('no items have no results', async () => {
  expect(await mapAtMost([], 3, async () => 'never')).toEqual([])
})

test('many items give no warning of the process', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): void => void warnings.push(warning)
  process.on('warning', note)
  const items = Array.from({ length: 50 }, (_, index) => index)
  expect(await mapAtMost(items, 2, async (item) => item * 2)).toEqual(items.map((item) => item * 2))
  await new Promise((resolve) => void setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
