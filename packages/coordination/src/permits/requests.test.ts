import { handClock } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { openPermits } from './permits.ts'
import { memoryStore } from '@harvestman/testing'
import { makeRequestPermits, waitForPermit } from './requests.ts'

const never = new AbortController().signal
const one = { concurrency: 1, queue: 2 }

describe('The permits of a team', () => {
  test('are taken in the order of asking, and those of another team are free', async () => {
    const permits = makeRequestPermits()
    const first = await permits.acquire('a', one, never)
    const order: string[] = []
    const second = permits.acquire('a', one, never).then((held) => (order.push('second'), held))
    const third = permits.acquire('a', one, never).then((held) => (order.push('third'), held))
    await permits.acquire('b', one, never)
    expect(order).toEqual([])
    first.release()
    ;(await second).release()
    ;(await third).release()
    expect(order).toEqual(['second', 'third'])
    await permits.acquire('a', { concurrency: 1, queue: 0 }, never)
  })

  test('refuse who comes when too many wait, and say when to try again', async () => {
    const permits = makeRequestPermits()
    await permits.acquire('a', { concurrency: 1, queue: 0 }, never)
    await expect(permits.acquire('a', { concurrency: 1, queue: 0 }, never)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfter: 5 },
    })
  })

  test('are not held for one who went away while waiting', async () => {
    const permits = makeRequestPermits()
    const held = await permits.acquire('a', one, never)
    const gone = new AbortController()
    const waiting = permits.acquire('a', one, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    held.release()
    held.release()
    await permits.acquire('a', { concurrency: 1, queue: 0 }, never)
    await expect(permits.acquire('a', { concurrency: 1, queue: 0 }, never)).rejects.toMatchObject({
      code: 'rate_limited',
    })
  })

  test('are waited for no longer than the request has time', async () => {
    const permits = makeRequestPermits()
    await permits.acquire('a', one, never)
    await expect(waitForPermit(permits, 'a', one, 20, undefined)).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('The permits of a team on several engines with one store', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
  })
  const open = (count: number) => {
    const clock = handClock()
    const store: Store = { ...memoryStore({ clock }), reach: 'shared' }
    return Array.from({ length: count }, (_, number) => {
      const shared = openPermits({ store, clock, engine: `engine ${number}`, leaseTime: 10_000, pollInterval: 5 })
      closing.push(shared.close)
      return makeRequestPermits(shared)
    })
  }

  test('are as many as the team has, and go from one engine to the other as soon as they are free', async () => {
    const engines = open(3)
    let [working, most, done] = [0, 0, 0]
    const work = async (number: number): Promise<void> => {
      const held = await engines[number % 3]!.acquire('a', { concurrency: 2 }, never)
      working += 1
      most = Math.max(most, working)
      await new Promise((resolve) => setTimeout(resolve, 1))
      working -= 1
      done += 1
      held.release()
    }
    await Promise.all(Array.from({ length: 60 }, (_, number) => work(number)))
    expect([most, done]).toEqual([2, 60])
    // One after the other, each time another engine.
    for (let number = 0; number < 9; number += 1) await work(number)
    expect([most, done]).toEqual([2, 69])
  })

  test('are had without waiting where none may wait, and are no more than the team has', async () => {
    const [one, two] = open(2) as [ReturnType<typeof makeRequestPermits>, ReturnType<typeof makeRequestPermits>]
    const limits = { concurrency: 2, queue: 0 }
    const first = await one.acquire('a', limits, never)
    const second = await two.acquire('a', limits, never)
    for (const permits of [one, two]) {
      await expect(permits.acquire('a', limits, never)).rejects.toMatchObject({ code: 'rate_limited' })
    }
    second.release()
    ;(await two.acquire('a', limits, never)).release()
    first.release()
  })

  test('are not taken by one that went away while it asked for a permit', async () => {
    const [one, two] = open(2) as [ReturnType<typeof makeRequestPermits>, ReturnType<typeof makeRequestPermits>]
    const held = await one.acquire('a', { concurrency: 1 }, never)
    const gone = new AbortController()
    const waiting = two.acquire('a', { concurrency: 1 }, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    held.release()
    ;(await one.acquire('a', { concurrency: 1 }, never)).release()
    ;(await two.acquire('a', { concurrency: 1 }, never)).release()
    ;(await one.acquire('a', { concurrency: 1, queue: 0 }, never)).release()
  })

  test('are refused at once when the store is away', async () => {
    const clock = handClock()
    const away = (): Promise<never> => Promise.reject(new Error('away'))
    const store: Store = { ...memoryStore({ clock }), reach: 'shared', get: away, update: away }
    const shared = openPermits({ store, clock, engine: 'one', leaseTime: 10_000, pollInterval: 5 })
    closing.push(shared.close)
    await expect(makeRequestPermits(shared).acquire('a', one, never)).rejects.toThrow('away')
  })
})
