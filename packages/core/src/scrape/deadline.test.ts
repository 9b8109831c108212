import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { makeDeadlines } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the time that is left shrinks as time passes, and is none when the time is up', () => {
  const deadline = makeDeadlines().start(1_000, undefined)
  expect(deadline.timeLeft()).toBe(1_000)
  vi.advanceTimersByTime(400)
  expect(deadline.timeLeft()).toBe(600)
  vi.advanceTimersByTime(600)
  expect([deadline.timeLeft(), deadline.signal.aborted]).toEqual([0, true])
})

test('a request that was cancelled has no time left', () => {
  const caller = new AbortController()
  const deadline = makeDeadlines().start(1_000, caller.signal)
  caller.abort(new EngineError('aborted', 'Enough.'))
  expect(deadline.timeLeft()).toBe(0)
  deadline.end()
})
