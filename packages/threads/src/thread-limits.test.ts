import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { watchTask } from './thread-limits.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Watches a thread that is given so much of the processor, and tells how its task ended. */
async function endOf(share: number): Promise<readonly [string, number]> {
  const begin = performance.now()
  const cpuUsage = async () => ({ user: (performance.now() - begin) * 1_000 * share, system: 0 })
  const getHeapStatistics = async () => ({ external_memory: 0 })
  const ends: [string, number][] = []
  const end = (how: string) => () => {
    ends.push([how, performance.now() - begin])
    watch.end()
  }
  const over = { tooSlow: end('too slow'), starved: end('starved'), tooLarge: end('too large') }
  const watch = watchTask(
    { cpuUsage, getHeapStatistics } as Parameters<typeof watchTask>[0],
    { budget: 1_000, megabytes: 1 },
    over,
  )
  await vi.advanceTimersByTimeAsync(10_000)
  return ends[0] ?? ['went on', 10_000]
}

test('a task that has the processor for itself ends when its time is used up', async () => {
  const [how, after] = await endOf(1)
  expect([how, Math.round(after / 100)]).toEqual(['too slow', 10])
})

test('a task that has half of the processor has twice as long by the clock', async () => {
  const [how, after] = await endOf(0.5)
  expect([how, after > 1_500, after < 2_100]).toEqual(['too slow', true, true])
})

test('a task that is hardly given the processor is late, and not too slow: it may be tried again', async () => {
  const [how, after] = await endOf(0.01)
  expect([how, after >= 6_000]).toEqual(['starved', true])
})
