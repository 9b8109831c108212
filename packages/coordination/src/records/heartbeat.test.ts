import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { heartbeat } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a beat is made so often, and no more when it is stopped', async () => {
  const beat = vi.fn<() => Promise<void>>(async () => undefined)
  const stop = heartbeat(beat, 5_000)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(beat).toHaveBeenCalledTimes(3)
  stop()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(beat).toHaveBeenCalledTimes(3)
})

test('a beat that fails is made again within a second, until one does not', async () => {
  let isAway = true
  const beat = vi.fn<() => Promise<void>>(async () => {
    if (isAway) throw new Error('The store is away.')
  })
  const stop = heartbeat(beat, 5_000)
  await vi.advanceTimersByTimeAsync(5_000 + 3_000)
  expect(beat).toHaveBeenCalledTimes(4)
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000 + 4_999)
  expect(beat).toHaveBeenCalledTimes(5)
  stop()
})

test('a beat that is not answered keeps the next ones from being made, and they go on with the answer', async () => {
  const answer = Promise.withResolvers<void>()
  const beat = vi.fn<() => Promise<void>>(() => answer.promise)
  const stop = heartbeat(beat, 5_000)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(beat).toHaveBeenCalledTimes(1)
  answer.resolve()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(beat).toHaveBeenCalledTimes(2)
  stop()
})
