import { expect, test } from 'vitest'

import { inBatches } from './in-batches.ts'

/** Work that ends when it is told to. */
function makeWork() {
  const batches: { readonly items: readonly string[]; end(error?: Error): void }[] = []
  const work = (items: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      batches.push({ items, end: (error) => (error ? reject(error) : resolve()) })
    })
  return { work, batches, items: () => batches.map(({ items }) => items) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const options = { most: 2, wait: 60_000 }

test('what comes while a batch is under way is the next one, of so many at most', async () => {
  const { work, batches, items } = makeWork()
  const add = inBatches(work, options)
  const first = add('a')
  await turn()
  const others = ['b', 'c', 'd'].map(add)
  await turn()
  expect(items()).toEqual([['a']])
  batches[0]?.end()
  await first
  await turn()
  expect(items()).toEqual([['a'], ['b', 'c']])
  batches[1]?.end()
  await turn()
  batches[2]?.end()
  await Promise.all(others)
  expect(items()).toEqual([['a'], ['b', 'c'], ['d']])
})

test('a batch that takes long does not keep the next one waiting', async () => {
  const { work, batches, items } = makeWork()
  const add = inBatches(work, { ...options, wait: 1 })
  const stuck = add('a')
  await turn()
  const next = add('b')
  await expect.poll(items).toEqual([['a'], ['b']])
  batches[1]?.end()
  await next
  batches[0]?.end()
  await stuck
})

test('a batch that failed fails for all of it', async () => {
  const { work, batches } = makeWork()
  const add = inBatches(work, options)
  const both = Promise.allSettled([add('a'), add('b')])
  await turn()
  batches[0]?.end(new Error('away'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toHaveLength(1)
  const later = add('c')
  await turn()
  batches[1]?.end()
  await expect(later).resolves.toBeUndefined()
})

test('a batch that may be repeated is done one by one, and fails for the one that is at fault', async () => {
  const given: (readonly string[])[] = []
  const work = async (items: readonly string[]): Promise<void> => {
    given.push(items)
    if (items.includes('bad')) throw new Error('refused')
  }
  const add = inBatches(work, { ...options, mayRepeat: () => true })
  const both = await Promise.allSettled([add('good'), add('bad')])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(given).toEqual([['good', 'bad'], ['good'], ['bad']])
})
