import { expect, test } from 'vitest'

import { systemClock } from './clock.ts'

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
