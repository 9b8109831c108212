import { flaky, handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { memoryStore } from '@harvestman/testing'
import { openLog, type NewSegment } from './log.ts'

const forever = () => ({})

function segment(head: string, body = ''): NewSegment {
  return { head: [head], body: [Buffer.from(body)] }
}

function open(store: Store = memoryStore(), name = 'job') {
  return openLog(store, name, forever)
}

describe('a log', () => {
  test('gives back what happened and its bytes, by place', async () => {
    const log = open()
    expect(await log.append(0, { head: { what: 'é' }, body: [new Uint8Array([1]), new Uint8Array([255, 0])] })).toBe(
      true,
    )
    const read = await log.read(0)
    expect(read?.head).toEqual({ what: 'é' })
    expect([...(read?.body ?? [])]).toEqual([1, 255, 0])
    expect(await log.read(1)).toBeUndefined()
  })

  test('gives several places at once, in their order', async () => {
    const log = open()
    for (const [place, head] of ['a', 'b', 'c'].entries()) await log.append(place, segment(head))
    const read = await log.readMany([2, 0, 7])
    expect(read.map((one) => one?.head)).toEqual([['c'], ['a'], undefined])
  })

  test('gives a place to one of many writers, and tells each whether it is theirs', async () => {
    const store = memoryStore()
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => open(store).append(0, segment(`writer ${writer}`))),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect((await open(store).read(0))?.head).toEqual([`writer ${won.indexOf(true)}`])
  })

  test('tells a writer whose answer was lost, on asking again, that the place is its own', async () => {
    const store = memoryStore()
    const lossy = open(flaky(store, [{ point: 'update', nth: 1, kind: 'reject after' }]))
    await expect(lossy.append(0, segment('mine', 'body'))).rejects.toThrow('as ordered')
    expect(await lossy.append(0, segment('mine', 'body'))).toBe(true)
    expect(await lossy.append(0, segment('mine', 'other'))).toBe(false)
  })

  test('does not mix with one whose name begins alike', async () => {
    const store = memoryStore()
    await open(store, 'job').append(0, segment('mine'))
    expect(await open(store, 'job/log').read(0)).toBeUndefined()
  })

  test('gives back the memory of what the store has copied, and of nothing that it has not', async () => {
    const kept = memoryStore()
    const given: Uint8Array[] = []
    const store: Store = {
      ...kept,
      update: (key, change, options) =>
        kept.update(
          key,
          (old) => {
            const value = change(old)
            given.push(value as Uint8Array)
            return value
          },
          options,
        ),
    }
    const body = Buffer.alloc(100_000, 'x')
    const log = open(flaky(store, [{ point: 'update', nth: 1, kind: 'reject after' }]))
    await expect(log.append(0, { head: 'mine', body: [body] })).rejects.toThrow('as ordered')
    expect(given.map(({ length }) => length)).toEqual([100_030])
    expect(await log.append(1, { head: 'next', body: [body] })).toBe(true)
    expect(given.map(({ length }) => length)).toEqual([100_030, 0])
    expect((await log.read(1))?.body).toEqual(new Uint8Array(body))
  })

  test('is gone when its life is over', async () => {
    const clock = handClock()
    const store = memoryStore({ clock })
    const log = openLog(store, 'job', () => ({ ttl: 1000 }))
    await log.append(0, segment('a'))
    await clock.pass(999)
    expect(await log.read(0)).toBeDefined()
    await clock.pass(1)
    expect(await log.read(0)).toBeUndefined()
  })
})
