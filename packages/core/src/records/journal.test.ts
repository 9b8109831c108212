import { flaky, handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { Store } from '../ports/store.ts'
import { memoryStore } from '../stores/memory.ts'
import { journal } from './journal.ts'

const all = { from: 0, limit: 1000, holes: 'wait' } as const

// Loses the entry of the second append: its place was given, and the writer dies.
async function withHole(store: Store) {
  const lossy = flaky(store, [{ point: 'set', nth: 2, kind: 'reject' }])
  const log = journal(lossy, 'log')
  await log.append('a')
  await expect(log.append('b')).rejects.toThrow('as ordered')
  await log.append('c')
  return log
}

describe('a journal', () => {
  test('gives entries numbered places, and reads them in their order', async () => {
    const log = journal(memoryStore(), 'log')
    for (const [place, entry] of ['a', 'b', 'c'].entries()) expect(await log.append(entry)).toBe(place)
    expect(await log.read(all)).toEqual({
      entries: [
        { place: 0, entry: 'a' },
        { place: 1, entry: 'b' },
        { place: 2, entry: 'c' },
      ],
      next: 3,
      isEnd: true,
    })
    expect(await log.length()).toBe(3)
  })

  test('is read in parts, each from where the last one ended', async () => {
    const log = journal(memoryStore(), 'log')
    for (let number = 0; number < 10; number += 1) await log.append(number)
    const seen: unknown[] = []
    let [next, isEnd] = [0, false]
    while (!isEnd) {
      const part = await log.read({ from: next, limit: 3, holes: 'wait' })
      expect(part.entries.length).toBeLessThanOrEqual(3)
      seen.push(...part.entries.map(({ entry }) => entry))
      ;({ next, isEnd } = part)
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('gives a hundred writers at once a place each', async () => {
    const log = journal(memoryStore(), 'log')
    const places = await Promise.all(Array.from({ length: 100 }, (_, number) => log.append({ number })))
    expect(new Set(places).size).toBe(100)
    const { entries } = await log.read(all)
    for (const { place, entry } of entries) expect(places[(entry as { number: number }).number]).toBe(place)
    expect(entries).toHaveLength(100)
  })

  test('keeps bytes as they are', async () => {
    const log = journal(memoryStore(), 'log')
    await log.append(new Uint8Array([123, 125, 255]))
    expect((await log.read(all)).entries).toEqual([{ place: 0, entry: new Uint8Array([123, 125, 255]) }])
  })

  test('read behind its end is empty, and stays where it was asked', async () => {
    const log = journal(memoryStore(), 'log')
    await log.append('a')
    expect(await log.read({ from: 5, limit: 10, holes: 'wait' })).toEqual({ entries: [], next: 5, isEnd: true })
    expect(await journal(memoryStore(), 'none').read(all)).toEqual({ entries: [], next: 0, isEnd: true })
  })

  test('does not mix with one whose name begins alike', async () => {
    const store = memoryStore()
    await journal(store, 'log').append('mine')
    await journal(store, 'log/1').append('other')
    expect((await journal(store, 'log').read(all)).entries).toHaveLength(1)
  })
})

describe('a hole', () => {
  test('makes a reader wait while somebody may still write', async () => {
    const log = await withHole(memoryStore())
    expect(await log.read(all)).toEqual({ entries: [{ place: 0, entry: 'a' }], next: 1, isEnd: false })
    expect(await log.read({ ...all, from: 1 })).toEqual({ entries: [], next: 1, isEnd: false })
  })

  test('is stepped over when the writing has ended', async () => {
    const log = await withHole(memoryStore())
    const { entries, next, isEnd } = await log.read({ ...all, holes: 'step over' })
    expect(entries).toEqual([
      { place: 0, entry: 'a' },
      { place: 2, entry: 'c' },
    ])
    expect([next, isEnd]).toEqual([3, true])
  })
})

describe('an entry with an id', () => {
  test('is there once, however often it is appended', async () => {
    const log = journal(memoryStore(), 'log')
    const places = await Promise.all([1, 2, 3].map((run) => log.append({ run }, { id: 'task' })))
    expect(new Set(places).size).toBe(1)
    const { entries } = await log.read({ ...all, holes: 'step over' })
    expect(entries).toHaveLength(1)
    const again = await log.append({ run: 4 }, { id: 'task' })
    expect(again).toBe(places[0])
    expect((await log.read({ ...all, holes: 'step over' })).entries).toEqual(entries)
  })

  test('fills on the second try the hole that a dead writer left', async () => {
    const store = memoryStore()
    // The first update takes the place, the second binds the id to it, the third writes the entry.
    const lossy = flaky(store, [{ point: 'update', nth: 3, kind: 'reject' }])
    await expect(journal(lossy, 'log').append('a', { id: 'task' })).rejects.toThrow('as ordered')
    const log = journal(store, 'log')
    await log.append('b')
    expect(await log.read(all)).toMatchObject({ entries: [], next: 0, isEnd: false })
    expect(await log.append('a', { id: 'task' })).toBe(0)
    expect((await log.read(all)).entries.map(({ entry }) => entry)).toEqual(['a', 'b'])
  })
})

test('a journal that was given a life leaves nothing behind', async () => {
  const clock = handClock()
  const store = memoryStore({ clock })
  const log = journal(store, 'log', { ttl: 1000 })
  await log.append('a')
  await log.append('b', { id: 'task' })
  await clock.pass(1000)
  expect(await log.length()).toBe(0)
  expect(await store.getMany?.(['log/place/0', 'log/place/1', 'log/id/task'])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
