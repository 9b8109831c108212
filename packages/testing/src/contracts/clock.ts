import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'

import type { Clock } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { reasonOf } from './until.ts'

/** Creates a clock for a case. */
export type MakeClock = () => ClockBench

/** A clock under test. */
export interface ClockBench {
  readonly clock: Clock
  /** Lets this many milliseconds pass on the clock. */
  pass(ms: number): Promise<unknown>
}

function rule(name: string, check: (bench: ClockBench) => Promise<void>) {
  return { name, run: (make: MakeClock) => check(make()) }
}

const never = () => new AbortController().signal
const reason = new Error('no more')

/** The contract of the `Clock` port. */
export const clockContract: Contract<MakeClock> = [
  rule('tells milliseconds since 1970 and moves on with time', async ({ clock, pass }) => {
    const before = clock.now()
    assert.ok(before > Date.UTC(2020, 0, 1) && before < Date.UTC(2100, 0, 1))
    await pass(20)
    assert.ok(clock.now() >= before + 20)
  }),
  rule('a sleep ends after its time, and not before', async ({ clock, pass }) => {
    const start = clock.now()
    let woke: number | undefined
    const slept = clock.sleep(30, never()).finally(() => {
      woke = clock.now()
    })
    await pass(40)
    await slept
    assert.ok(woke !== undefined && woke >= start + 30)
  }),
  rule('a sleep of no time ends', async ({ clock, pass }) => {
    const slept = clock.sleep(0, never())
    await pass(1)
    await slept
  }),
  rule('a sleep of many years does not end at once', async ({ clock, pass }) => {
    const controller = new AbortController()
    let isOver = false
    const slept = clock.sleep(2 ** 40, controller.signal).finally(() => {
      isOver = true
    })
    await pass(20)
    assert.equal(isOver, false)
    controller.abort(reason)
    assert.equal(await reasonOf(slept), reason)
  }),
  rule('a sleep rejects with the reason as soon as its signal is aborted', async ({ clock }) => {
    const controller = new AbortController()
    const slept = clock.sleep(3_600_000, controller.signal)
    controller.abort(reason)
    assert.equal(await reasonOf(slept), reason)
  }),
  rule('a sleep whose signal is aborted already rejects with the reason', async ({ clock }) => {
    assert.equal(await reasonOf(clock.sleep(3_600_000, AbortSignal.abort(reason))), reason)
  }),
  rule('a sleep that is over leaves nothing on its signal', async ({ clock, pass }) => {
    const signal = never()
    const slept = clock.sleep(1, signal)
    await pass(5)
    await slept
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  }),
]
