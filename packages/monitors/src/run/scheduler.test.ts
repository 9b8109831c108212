import { memoryStore } from '@harvestman/core'
import type { EngineEvent, Store } from '@harvestman/ports'
import { movedClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { hour, house, pageOf } from '../fixtures/house.ts'
import { monitorKeys } from '../keys.ts'

test.each([
  ['is due', 1],
  ['is due later', 5],
])('a damaged monitor that %s is reported once, and does not stop the others', async (_, damagedAfter) => {
  const events: EngineEvent[] = []
  const clock = movedClock()
  const kept = memoryStore({ clock })
  const reads: string[] = []
  const store: Store = { ...kept, get: (key) => (reads.push(key), kept.get(key)) }
  const { engine } = house({
    ...{ clock, store, pages: { '/a': pageOf('One.') }, given: { pollInterval: 1_000 } },
    observer: (event) => void events.push(event),
  })
  const now = clock.now()
  const create = (after: number) =>
    engine.monitors.create({
      name: `In ${after} hours`,
      schedule: { cron: `0 ${new Date(now + after * hour).getUTCHours()} * * *`, jitter: 0 },
      targets: [{ type: 'scrape', urls: ['https://shop.test/a'] }],
    })
  const damaged = await create(damagedAfter)
  const other = await create(2)
  await store.set(monitorKeys.monitor(damaged.id), { is: 'damaged' })
  reads.length = 0
  clock.moveOn(3 * hour)
  engine.monitors.start()
  for (;;) {
    const [check] = await engine.monitors.checks(other.id)
    const readsOfDamaged = reads.filter((key) => key === monitorKeys.monitor(damaged.id))
    if (check?.status === 'completed' && readsOfDamaged.length >= 3) break
    if (check?.status === 'completed') clock.moveOn(2_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const warnings = events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []))
  expect(warnings.filter((one) => one.includes(`The monitor ${damaged.id} is not checked`))).toHaveLength(1)
  await engine.close()
})
