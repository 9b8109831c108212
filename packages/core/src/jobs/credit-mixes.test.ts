import { expect, test } from 'vitest'

import { runMix } from './fixtures/credit-mix.ts'

// test/bench/reliability/credits.ts runs as many as it is told to.
test(
  'whatever jobs do and wherever engines are cut off, the ledger has what they used, and nothing stays held',
  { tags: ['long'] },
  async () => {
    // The last one found a page that waited for credits and was never woken.
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 75]) {
      const { faults } = await runMix(seed)
      expect(faults, `mix ${seed}`).toEqual([])
    }
  },
)
