import { handClock } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { openShares } from '../shares/shares.ts'
import { memoryStore } from '../stores/memory.ts'
import { makeTeamPlaces, waitForPlace } from './places.ts'

const never = new AbortController().signal
const one = { concurrency: 1, queue: 2 }

describe('The places of a team', () => {
  test('are taken in the order of asking, and those of another team are free', async () => {
    const places = makeTeamPlaces()
    const first = await places.enter('a', one, never)
    const order: string[] = []
    const second = places.enter('a', one, never).then((held) => (order.push('second'), held))
    const third = places.enter('a', one, never).then((held) => (order.push('third'), held))
    expect(places.count('a')).toEqual({ working: 1, waiting: 2 })
    await places.enter('b', one, never)
    first.leave()
    ;(await second).leave()
    ;(await third).leave()
    expect(order).toEqual(['second', 'third'])
    expect(places.count('a')).toEqual({ working: 0, waiting: 0 })
  })

  test('refuse who comes when too many wait, and say when to try again', async () => {
    const places = makeTeamPlaces()
    await places.enter('a', { concurrency: 1, queue: 0 }, never)
    await expect(places.enter('a', { concurrency: 1, queue: 0 }, never)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfter: 5 },
    })
  })

  test('are not held for one who went away while waiting', async () => {
    const places = makeTeamPlaces()
    const held = await places.enter('a', one, never)
    const gone = new AbortController()
    const waiting = places.enter('a', one, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    held.leave()
    held.leave()
    expect(places.count('a')).toEqual({ working: 0, waiting: 0 })
  })

  test('are waited for no longer than the request has time', async () => {
    const places = makeTeamPlaces()
    await places.enter('a', one, never)
    await expect(waitForPlace(places, 'a', one, 20, undefined)).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('The places of a team on several engines with one store', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()))
  })
  const open = (count: number) => {
    const clock = handClock()
    const store: Store = { ...memoryStore({ clock }), reach: 'shared' }
    return Array.from({ length: count }, (_, number) => {
      const shares = openShares({ store, clock, engine: `engine ${number}`, leaseTime: 10_000, lookEvery: 5 })
      closing.push(shares.close)
      return makeTeamPlaces({ shares })
    })
  }
  const soon = { timeout: 20_000, interval: 2 }

  test('are as many as the team has, and go from one engine to the other as soon as they are free', async () => {
    const engines = open(3)
    let [working, most, done] = [0, 0, 0]
    const work = async (number: number): Promise<void> => {
      const held = await engines[number % 3]!.enter('a', { concurrency: 2 }, never)
      working += 1
      most = Math.max(most, working)
      await new Promise((resolve) => setTimeout(resolve, 1))
      working -= 1
      done += 1
      held.leave()
    }
    await Promise.all(Array.from({ length: 60 }, (_, number) => work(number)))
    expect([most, done]).toEqual([2, 60])
    // One after the other, each time another engine.
    for (let number = 0; number < 9; number += 1) await work(number)
    expect([most, done]).toEqual([2, 69])
  })

  test('are waited for by so many in all, and more are refused, whichever engine is asked', async () => {
    const [one, two] = open(2) as [ReturnType<typeof makeTeamPlaces>, ReturnType<typeof makeTeamPlaces>]
    const limits = { concurrency: 1, queue: 4 }
    const first = await one.enter('a', limits, never)
    const outcomes: string[] = []
    const asked = Array.from({ length: 10 }, (_, number) =>
      [one, two][number % 2]!.enter('a', limits, never).then(
        (held) => {
          outcomes.push('entered')
          held.leave()
        },
        (error: { readonly code: string }) => outcomes.push(error.code),
      ),
    )
    await expect.poll(() => outcomes.length, soon).toBe(6)
    expect([one.count('a').waiting + two.count('a').waiting, new Set(outcomes)]).toEqual([4, new Set(['rate_limited'])])
    first.leave()
    await Promise.all(asked)
    expect(outcomes.filter((outcome) => outcome === 'entered')).toHaveLength(4)
  })

  test('are had without waiting where none may wait, and are no more than the team has', async () => {
    const [one, two] = open(2) as [ReturnType<typeof makeTeamPlaces>, ReturnType<typeof makeTeamPlaces>]
    const limits = { concurrency: 2, queue: 0 }
    const first = await one.enter('a', limits, never)
    const second = await two.enter('a', limits, never)
    for (const places of [one, two]) {
      await expect(places.enter('a', limits, never)).rejects.toMatchObject({ code: 'rate_limited' })
    }
    second.leave()
    ;(await two.enter('a', limits, never)).leave()
    first.leave()
  })

  test('are not taken by one that went away while it asked for a place', async () => {
    const [one, two] = open(2) as [ReturnType<typeof makeTeamPlaces>, ReturnType<typeof makeTeamPlaces>]
    const held = await one.enter('a', { concurrency: 1 }, never)
    const gone = new AbortController()
    const waiting = two.enter('a', { concurrency: 1 }, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    held.leave()
    ;(await one.enter('a', { concurrency: 1 }, never)).leave()
    ;(await two.enter('a', { concurrency: 1 }, never)).leave()
    expect([one.count('a'), two.count('a')]).toEqual([
      { working: 0, waiting: 0 },
      { working: 0, waiting: 0 },
    ])
  })

  test('are refused at once when the store is away', async () => {
    const clock = handClock()
    const away = (): Promise<never> => Promise.reject(new Error('away'))
    const store: Store = { ...memoryStore({ clock }), reach: 'shared', get: away, update: away }
    const shares = openShares({ store, clock, engine: 'one', leaseTime: 10_000, lookEvery: 5 })
    closing.push(shares.close)
    await expect(makeTeamPlaces({ shares }).enter('a', one, never)).rejects.toThrow('away')
  })
})
