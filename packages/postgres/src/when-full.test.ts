import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { whenFull } from './when-full.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const isFull = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })

/** A server that has no free connection for so many calls. */
function fullFor(calls: number) {
  let left = calls
  return vi.fn(async () => {
    left -= 1
    if (left >= 0) throw isFull
    return 'answer'
  })
}

test('a call that finds the server full is made again until there is a connection', async () => {
  const call = fullFor(3)
  const answer = whenFull({ totalCount: 4 }, { timeout: 10_000 })(call)
  await vi.runAllTimersAsync()
  expect(await answer).toBe('answer')
  expect(call).toHaveBeenCalledTimes(4)
})

test('a pool goes on with the connections that it has, at least two, and asks for more after a while', async () => {
  for (const [has, keeps] of [
    [5, 5],
    [0, 2],
  ] as const) {
    const options = { max: 9 }
    const answer = whenFull({ totalCount: has, options }, { timeout: 10_000, growsAfter: 5_000 })(fullFor(1))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await answer).toBe('answer')
    expect(options.max).toBe(keeps)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(options.max).toBe(9)
  }
})

test('a server that stays full is waited for as long as was said', async () => {
  const answer = whenFull({ totalCount: 1 }, { timeout: 2_000 })(fullFor(Infinity)).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await answer).toBe(isFull)
})

test('any other failure is told at once', async () => {
  const call = vi.fn(() => Promise.reject(new Error('other')))
  await expect(whenFull({ totalCount: 1 }, { timeout: 2_000 })(call)).rejects.toThrow('other')
  expect(call).toHaveBeenCalledTimes(1)
})
