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

/** What is begun is watched from the end of the next turn of the event loop on. */
function passTwoTurns(): void {
  vi.advanceTimersToNextTimer()
  vi.advanceTimersToNextTimer()
}

test('work that is over by the next turn after it began leaves no timer behind', () => {
  const deadlines = makeDeadlines()
  const over = deadlines.start(1_000, undefined)
  over.end()
  const overNext = deadlines.start(1_000, undefined)
  const running = deadlines.start(1_000, undefined)
  vi.advanceTimersToNextTimer()
  overNext.end()
  vi.advanceTimersToNextTimer()
  expect(vi.getTimerCount()).toBe(1)
  running.end()
  expect(vi.getTimerCount()).toBe(0)
})

test('a caller that goes before anything waits, or while it does, ends the work with the reason', async () => {
  const gone = new EngineError('aborted', 'Enough.')
  const caller = new AbortController()
  const deadline = makeDeadlines().start(1_000, caller.signal)
  const waiting = deadline.race(new Promise(() => undefined))
  passTwoTurns()
  caller.abort(gone)
  await expect(waiting).rejects.toBe(gone)
  expect(() => deadline.check()).toThrow(gone)
  const late = makeDeadlines().start(1_000, caller.signal)
  await expect(late.race(Promise.resolve())).rejects.toBe(gone)
  expect(late.signal.reason).toBe(gone)
})

test('an engine that is closed ends what has just begun, and begins nothing more', async () => {
  const closed = new EngineError('closed', 'Closed.')
  const deadlines = makeDeadlines()
  const waiting = deadlines.start(1_000, undefined).race(new Promise(() => undefined))
  deadlines.close(closed)
  await expect(waiting).rejects.toBe(closed)
  expect(() => deadlines.start(1_000, undefined)).toThrow(closed)
})

test('time that passes without a turn of the event loop is counted', () => {
  const deadline = makeDeadlines().start(1_000, undefined)
  vi.advanceTimersByTime(999)
  expect(deadline.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(deadline.signal.aborted).toBe(true)
})
