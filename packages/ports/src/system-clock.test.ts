import { expect, test, vi } from 'vitest'

import { systemClock } from './system-clock.ts'

test('an aborted sleep holds no timer', async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const controller = new AbortController()
  const sleeps = Array.from({ length: 50 }, () => systemClock.sleep(3_600_000, controller.signal))
  const during = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  controller.abort(new Error('enough'))
  const outcomes = await Promise.allSettled(sleeps)
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(during).toBe(before + 50)
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(before)
})

test('a sleep of many years waits in steps that a timer can hold', async () => {
  const timer = vi.spyOn(globalThis, 'setTimeout')
  const controller = new AbortController()
  const slept = systemClock.sleep(2 ** 40, controller.signal)
  expect(timer).toHaveBeenCalledTimes(1)
  expect(timer.mock.calls[0]?.[1]).toBe(2 ** 31 - 1)
  controller.abort(new Error('enough'))
  await expect(slept).rejects.toThrow('enough')
})
