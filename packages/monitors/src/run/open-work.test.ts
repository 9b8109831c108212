import { movedClock } from '@harvestman/testing'
import { expect, test, vi } from 'vitest'

import { makeOpenWork } from './open-work.ts'

const a = { lock: 'a', title: 'The piece a' }
const b = { lock: 'b', title: 'The piece b' }
const taken = new Error('Another engine has it.')

function setUp(atOnce = 10) {
  const clock = movedClock()
  const locked = new Set<string>()
  const warnings: string[] = []
  const freed = vi.fn()
  const closing = new AbortController()
  const lock = async (key: string) => {
    if (locked.has(key)) return undefined
    locked.add(key)
    return async () => void locked.delete(key)
  }
  const kit = { clock, lock, signal: closing.signal, warn: (message: string) => void warnings.push(message) }
  const options = { atOnce, lookEvery: 60_000, freed }
  const work = makeOpenWork(kit, { ...options, isTaken: (error) => error === taken })
  return { work, clock, locked, warnings, freed, closing }
}

const fails = (error = new Error('The store is away.')) => vi.fn(async () => Promise.reject(error))
const succeeds = () => vi.fn(async () => undefined)

test('a piece runs once at a time, and not more pieces than may', async () => {
  const { work, freed, locked } = setUp(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = vi.fn(() => promise)
  const second = succeeds()
  work.offer(a, first)
  work.offer(a, first)
  work.offer(b, second)
  resolve()
  await work.idle()
  expect([first.mock.calls.length, second.mock.calls.length, freed.mock.calls.length]).toEqual([1, 0, 1])
  expect(locked.size).toBe(0)
  work.offer(b, second)
  await work.idle()
  expect(second).toHaveBeenCalledOnce()
})

test('a piece that fails is tried again after pauses that grow, and is told how often it has failed', async () => {
  const { work, clock, warnings, locked } = setUp()
  const failing = fails()
  const pauses: number[] = []
  for (let count = 0; count < 3; count += 1) {
    work.offer(a, failing)
    await work.idle()
    work.offer(a, failing)
    await work.idle()
    pauses.push(work.pause())
    clock.moveOn(work.pause())
  }
  expect(failing.mock.calls).toEqual([[0], [1], [2]])
  expect(pauses[1]! > pauses[0]! && pauses[2]! > pauses[1]!).toBe(true)
  expect(warnings.map((one) => one.slice(0, 28))).toEqual(Array(3).fill('The piece a continues later:'))
  expect(locked.size).toBe(0)
  const good = succeeds()
  work.offer(a, good)
  await work.idle()
  work.offer(a, good)
  await work.idle()
  expect(good.mock.calls).toEqual([[3], [0]])
})

test('a piece that another engine has is offered again later, and is no failure', async () => {
  const { work, clock, locked, warnings } = setUp()
  locked.add('a')
  const good = succeeds()
  work.offer(a, good)
  await work.idle()
  locked.clear()
  work.offer(a, good)
  await work.idle()
  expect([good.mock.calls.length, work.pause()]).toEqual([0, 30_000])
  clock.moveOn(30_000)
  work.offer(a, good)
  await work.idle()
  work.offer(b, fails(taken))
  await work.idle()
  expect([good.mock.calls, warnings]).toEqual([[[0]], []])
})

test('nothing is started after the end, and what breaks by it is no failure', async () => {
  const { work, closing, warnings } = setUp()
  const good = succeeds()
  work.offer(a, async () => {
    closing.abort()
    throw new Error('Closed.')
  })
  await work.idle()
  work.offer(b, good)
  await work.idle()
  expect([good.mock.calls.length, warnings]).toEqual([0, []])
})
