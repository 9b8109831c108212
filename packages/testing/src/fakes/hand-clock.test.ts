import { expect, test } from 'vitest'

import { handClock } from './hand-clock.ts'

const never = () => new AbortController().signal

test('sleepers wake in the order of their time, each at its own moment', async () => {
  const clock = handClock(0)
  const log: string[] = []
  for (const ms of [30, 10, 20]) void clock.sleep(ms, never()).then(() => log.push(`${ms} at ${clock.now()}`))
  await clock.pass(25)
  expect(log).toEqual(['10 at 10', '20 at 20'])
  expect(clock.now()).toBe(25)
  await clock.pass(5)
  expect(log.at(-1)).toBe('30 at 30')
})

test('who sleeps again within the time that passes wakes again within it', async () => {
  const clock = handClock(0)
  const woke: number[] = []
  const beat = async () => {
    for (;;) {
      await clock.sleep(10, never())
      woke.push(clock.now())
    }
  }
  void beat()
  await clock.pass(35)
  expect(woke).toEqual([10, 20, 30])
  expect(clock.sleeping).toBe(1)
})
