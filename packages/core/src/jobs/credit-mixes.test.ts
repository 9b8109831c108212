import { expect, test } from 'vitest'

import { runMix } from './fixtures/credit-mix.ts'

// test/bench/reliability/credits.ts runs as many as it is told to.
test('whatever jobs do and wherever engines are cut off, the ledger has what they used, and nothing stays held', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { faults } = await runMix(seed)
    expect(faults, `mix ${seed}`).toEqual([])
  }
}, 120_000)
