import { systemClock } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { makeDispatcher } from './dispatcher.ts'
import type { HostTurn, Scheduler } from './scheduler.ts'

/** A scheduler with this many visits that may start now. */
const schedulerOf = (visits: number): Scheduler => {
  let left = visits
  const next = () => (left-- > 0 ? { turn: {} as HostTurn } : { waitUntil: Number.POSITIVE_INFINITY })
  return { next } as unknown as Scheduler
}
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('many visits start in several turns of the event loop, each of them once', async () => {
  const started: number[] = []
  let inTurn = 0
  const dispatcher = makeDispatcher(schedulerOf(100), systemClock, () => void (inTurn += 1))
  dispatcher.dispatch()
  // Another call in the same turn starts nothing more.
  dispatcher.dispatch()
  for (let turn = 0; turn < 20; turn += 1) {
    started.push(inTurn)
    inTurn = 0
    await nextTurn()
  }
  expect(Math.max(...started)).toBeLessThan(50)
  expect(started.reduce((sum, count) => sum + count)).toBe(100)
})

test('calls after each new visit start no more visits in one turn than one call', async () => {
  let waiting = 0
  let started = 0
  const next = () => (waiting > 0 ? { turn: {} as HostTurn } : { waitUntil: Number.POSITIVE_INFINITY })
  // Cast: the part of a scheduler that a dispatcher uses.
  const dispatcher = makeDispatcher({ next } as unknown as Scheduler, systemClock, () => {
    waiting -= 1
    started += 1
  })
  for (let call = 0; call < 100; call += 1) {
    waiting += 1
    dispatcher.dispatch()
  }
  expect(started).toBeLessThan(50)
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  expect(started).toBe(100)
})

test('a closed dispatcher starts no more visits', async () => {
  let started = 0
  const dispatcher = makeDispatcher(schedulerOf(100), systemClock, () => void (started += 1))
  dispatcher.dispatch()
  dispatcher.close()
  const before = started
  await nextTurn()
  await nextTurn()
  expect(started).toBe(before)
})
