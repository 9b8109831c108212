// @module-tag long
import { expect, test } from 'vitest'

import { runWorld } from './credit-world.ts'

const must = ['batch', 'crawl', 'extract', 'search', 'map', 'maxCredits', 'cancelled job', 'cancelled scrape']

// test/bench/reliability/credits.ts runs as many as it is told to.
test('whatever teams ask for and wherever engines are cut off, the ledger has what the work says', async () => {
  const seen = new Set<string>()
  const missing = (): readonly string[] => must.filter((what) => !seen.has(what))
  // Worlds in which nothing happens prove nothing; what happens in one depends on when its engines are cut off.
  for (let seed = 1; seed <= 3 || (seed <= 12 && missing().length > 0); seed += 1) {
    const world = await runWorld(seed, 12)
    expect(world.faults, `world ${seed}`).toEqual([])
    expect(world.crashes).toBe(3)
    for (const what of Object.keys(world.seen)) seen.add(what)
  }
  expect(missing()).toEqual([])
}, 180_000)
