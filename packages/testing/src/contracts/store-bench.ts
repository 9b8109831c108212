import assert from 'node:assert/strict'

import type { Clock, Store, Value } from '@harvestman/ports'

import type { ContractCase } from '../contract.ts'
import { handClock, type HandClock } from '../fakes/hand-clock.ts'

/** Creates an empty store that uses the given clock. */
export type MakeStore = (given: { readonly clock: Clock }) => Store | Promise<Store>

export interface Bench {
  readonly store: Store
  readonly clock: HandClock
}

/**
 * Creates a case of the store contract, which checks a fresh store with a hand clock. The store is closed afterwards, even if the
 * check rejects.
 */
export function storeCase(name: string, check: (bench: Bench) => Promise<void>): ContractCase<MakeStore> {
  const run = async (make: MakeStore) => {
    const clock = handClock()
    const store = await make({ clock })
    try {
      await check({ store, clock })
    } finally {
      await store.close()
    }
  }
  return { name, run }
}

/** Advances the clock by this many milliseconds. Fails if the store never read it. */
export async function advanceClock({ clock }: Bench, ms: number): Promise<void> {
  assert.ok(clock.reads > 0, 'The store never asked the clock that it was given. Make it with `clock`.')
  await clock.pass(ms)
}

/** Fails unless the value has exactly these bytes. */
export function assertBytes(actual: Value | undefined, expected: Uint8Array): void {
  assert.ok(actual instanceof Uint8Array, `Bytes were expected, not ${typeof actual}.`)
  assert.equal(actual.length, expected.length)
  assert.equal(Buffer.compare(actual, expected), 0, 'the bytes are not the ones that were set')
}

/**
 * Tries to change a value. The value may be frozen: a change then throws a `TypeError`, which is also correct. Other
 * errors fail.
 */
export function tryTo(change: () => unknown): void {
  try {
    change()
  } catch (error) {
    assert.ok(error instanceof TypeError)
  }
}
