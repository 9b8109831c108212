import { expect, test } from 'vitest'

import { movedClock } from './moved-clock.ts'

const never = new AbortController().signal

test('who sleeps until a time wakes when the clock is moved beyond it, and not when it is set', async () => {
  const clock = movedClock()
  const start = clock.now()
  let isAwake = false
  const sleep = clock.sleep(3_600_000, never).then(() => (isAwake = true))
  clock.jump(7_200_000)
  clock.moveOn(3_000_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAwake).toBe(false)
  clock.moveOn(600_000)
  await sleep
  expect(clock.now() - start).toBeGreaterThanOrEqual(7_200_000 + 3_600_000)
})

test('goes by itself, and a sleep is ended by its signal', async () => {
  const clock = movedClock()
  await clock.sleep(1, never)
  expect(clock.elapsed?.()).toBeGreaterThanOrEqual(1)
  const stop = new AbortController()
  const sleep = clock.sleep(1_000_000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(sleep).rejects.toThrow('enough')
})
