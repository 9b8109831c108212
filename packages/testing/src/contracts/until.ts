import assert from 'node:assert/strict'

import { EngineError } from '@harvestman/core'

import { settle, type HandClock } from '../fakes/hand-clock.ts'

const timeout = 60_000

/**
 * Waits until `isSo` returns true, and fails after a minute of real time. Advances the hand clock, if there is one, by `step`
 * milliseconds at a time, by default 1,000, and gives real time to everything else.
 */
export async function until(what: string, isSo: () => boolean, clock?: HandClock, step = 1000): Promise<void> {
  const end = performance.now() + timeout
  for (let round = 0; !isSo(); round += 1) {
    assert.ok(performance.now() < end, `It did not happen: ${what}.`)
    if (clock) await clock.pass(step)
    else await settle()
    if (round > 20) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Creates a promise that is resolved by hand. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Returns the reason of a promise that must reject. Fails if it resolves. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (reason) {
    return reason
  }
  return assert.fail('It resolved, where it must reject.')
}

/** Returns the `EngineError` that a promise must reject with. Fails if it resolves or rejects with another error. */
export async function engineErrorOf(promise: Promise<unknown>): Promise<EngineError> {
  const reason = await reasonOf(promise)
  assert.ok(EngineError.is(reason), `It is no EngineError: ${String(reason)}`)
  return reason
}
