import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { makeGroups, type Restable } from './groups.ts'

interface Fake extends Restable {
  readonly name: string
  readonly deeds: string[]
  break(): void
}

function fake(name: string, rest = async (): Promise<void> => undefined): Fake {
  const broken = new AbortController()
  const deeds: string[] = []
  return {
    name,
    deeds,
    place: { broken: broken.signal, close: async () => void deeds.push('closed') },
    rest: async () => {
      deeds.push('rested')
      await rest()
    },
    break: () => broken.abort(new Error('broken')),
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const times = { rest: 100, end: 1_000 }

test('what is kept is given to its own key, once, the last one first', async () => {
  const groups = makeGroups<Fake>(times)
  for (const name of ['one', 'two']) groups.keep('a', fake(name))
  expect(await groups.take('b')).toBeUndefined()
  expect((await groups.take('a'))?.name).toBe('two')
  expect((await groups.take('a'))?.name).toBe('one')
  expect(await groups.take('a')).toBeUndefined()
})

test('one that waits lets go of its page after a while, and is closed after a longer one', async () => {
  const groups = makeGroups<Fake>(times)
  const one = fake('one')
  groups.keep('a', one)
  await vi.advanceTimersByTimeAsync(99)
  expect(one.deeds).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(one.deeds).toEqual(['rested'])
  expect(groups.size).toBe(1)
  await vi.advanceTimersByTimeAsync(900)
  expect(one.deeds).toEqual(['rested', 'closed'])
  expect(groups.size).toBe(0)
})

test('one that was taken is neither rested nor closed', async () => {
  const groups = makeGroups<Fake>(times)
  const one = fake('one')
  groups.keep('a', one)
  await groups.take('a')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(one.deeds).toEqual([])
})

test('one that lets go of its page is handed out when it has, and is closed when it cannot', async () => {
  for (const canRest of [true, false]) {
    const groups = makeGroups<Fake>(times)
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const one = fake('one', () => promise)
    groups.keep('a', one)
    await vi.advanceTimersByTimeAsync(100)
    let taken: Fake | 'not yet' | undefined = 'not yet'
    void groups.take('a').then((given) => (taken = given))
    await vi.advanceTimersByTimeAsync(0)
    expect(taken).toBe('not yet')
    if (canRest) resolve(undefined)
    else reject(new Error('stuck'))
    await vi.advanceTimersByTimeAsync(0)
    expect(taken).toBe(canRest ? one : undefined)
    expect(one.deeds).toEqual(canRest ? ['rested'] : ['rested', 'closed'])
    expect(groups.size).toBe(0)
  }
})

test('one that breaks while it waits is closed', async () => {
  const groups = makeGroups<Fake>(times)
  const one = fake('one')
  groups.keep('a', one)
  one.break()
  expect(one.deeds).toEqual(['closed'])
  expect(await groups.take('a')).toBeUndefined()
  const other = fake('other')
  other.break()
  groups.keep('a', other)
  expect(other.deeds).toEqual(['closed'])
})

test('those that wait longest make room, and all go when the browser is closed', async () => {
  const groups = makeGroups<Fake>(times)
  const all = ['one', 'two', 'three'].map((name) => fake(name))
  for (const one of all) groups.keep('a', one)
  await groups.shrink(2)
  expect(all.map(({ deeds }) => deeds.length)).toEqual([1, 0, 0])
  await groups.shrink(-1)
  expect(groups.size).toBe(0)
  const last = fake('last')
  groups.keep('a', last)
  await groups.close()
  expect(last.deeds).toEqual(['closed'])
  const late = fake('late')
  groups.keep('a', late)
  expect(late.deeds).toEqual(['closed'])
})
