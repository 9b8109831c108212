import type { EngineEvent } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { hour, house, pageOf } from '../fixtures/house.ts'
import { monitorKeys } from '../keys.ts'

test.each([
  ['is due', 1],
  ['is due later', 5],
])('a monitor that %s and whose record is damaged does not stop the others', async (_, damagedAfter) => {
  const events: EngineEvent[] = []
  const bench = house({ pages: { '/a': pageOf('One.') }, observer: (event) => void events.push(event) })
  const { engine, store, clock } = bench
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
  clock.moveOn(3 * hour)
  engine.monitors.start()
  for (;;) {
    const [check] = await engine.monitors.checks(other.id)
    if (check?.status === 'completed') break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const warnings = events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []))
  expect(warnings).toContainEqual(expect.stringContaining(`The monitor ${damaged.id} is not checked`))
  await engine.close()
})
