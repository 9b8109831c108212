import { expect, test } from 'vitest'

import { makeReadCache, type Readable } from './read-cache.ts'

interface Thing extends Readable {
  readonly key: string
  isFree: boolean
}

/** A place that gives a thing of a size for every key but `none`, each time anew, and notes what it was asked for. */
function house(room: number, size = 100) {
  const asked: string[] = []
  const reads = makeReadCache<Thing>(room)
  const take = (...keys: string[]) =>
    reads.take(keys, async (missing) => {
      asked.push(...missing)
      return missing.map((key) => (key === 'none' ? undefined : thing(key, size)))
    })
  return { asked, take }
}

function thing(key: string, size: number): Thing {
  return {
    key,
    size,
    isFree: false,
    free() {
      this.isFree = true
    },
  }
}

test('what was read twice is given again without being read, in its place among what is not there or new', async () => {
  const { asked, take } = house(1_000)
  await take('a', 'b')
  await take('a')
  const loans = await take('b', 'none', 'a', 'c')
  expect(asked).toEqual(['a', 'b', 'a', 'b', 'none', 'c'])
  expect(loans.map((loan) => loan?.value.key)).toEqual(['b', undefined, 'a', 'c'])
})

test('what is read once is freed when it is given back, so that a long log leaves nothing behind', async () => {
  const { take } = house(1_000)
  const [loan] = await take('a')
  expect(loan?.value.isFree).toBe(false)
  loan?.release()
  expect(loan?.value.isFree).toBe(true)
})

test('what others read or what is kept stays whole when one gives it back, also twice', async () => {
  const { take } = house(1_000)
  await take('a')
  const [one] = await take('a')
  const [other] = await take('a')
  one?.release()
  one?.release()
  expect(other?.value.isFree).toBe(false)
  other?.release()
  const [again] = await take('a')
  expect(again?.value).toBe(one?.value)
  expect(again?.value.isFree).toBe(false)
})

test('what was not read for longest goes when there is no room, and is freed by its last reader', async () => {
  const { asked, take } = house(200)
  for (const key of ['a', 'b', 'c']) await take(key)
  const [a] = await take('a')
  const [b] = await take('b')
  b?.release()
  await take('a')
  await take('c')
  expect(b?.value.isFree).toBe(true)
  expect(a?.value.isFree).toBe(false)
  asked.length = 0
  await take('a', 'c')
  expect(asked).toEqual([])
  await take('b')
  const [aAgain] = await take('c', 'b')
  expect(aAgain?.value.isFree).toBe(false)
  expect(a?.value.isFree).toBe(false)
  a?.release()
})

test('without room everything is read each time and belongs to its reader', async () => {
  const { asked, take } = house(0)
  for (let time = 0; time < 3; time += 1) {
    const [loan] = await take('a')
    loan?.release()
    expect(loan?.value.isFree).toBe(true)
  }
  expect(asked).toEqual(['a', 'a', 'a'])
})
