import { memoryStore } from '@harvestman/core'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeActivity } from './activity.ts'

const hour = 3_600_000
const noon = Date.parse('2026-03-01T12:00:00.000Z')

test('each of the last 24 hours is counted whole, however much was asked for, and each team has its own', async () => {
  const clock = handClock(noon - 25 * hour)
  const activity = makeActivity({ store: memoryStore({ clock }), clock, team: 'default', lost: () => undefined })
  const ask = async (team: string, count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) activity.note({ team, id: `${number}`, endpoint: 'scrape' })
    await activity.idle()
  }
  await ask('acme', 5)
  await clock.pass(2 * hour)
  await ask('acme', 250)
  await clock.pass(59 * 60_000)
  await ask('acme', 1)
  await clock.pass(22 * hour + 60_000)
  await ask('acme', 350)
  await ask('other', 2)
  const counts = async (team: string) => (await activity.byHour({ team })).map(({ requests }) => requests)
  expect(await counts('acme')).toEqual([251, ...Array.from({ length: 22 }, () => 0), 350])
  expect(await counts('other')).toEqual([...Array.from({ length: 23 }, () => 0), 2])
  const [first, ...rest] = await activity.byHour({ team: 'acme' })
  expect([first?.startDate, rest.at(-1)?.startDate]).toEqual(['2026-02-28T13:00:00.000Z', '2026-03-01T12:00:00.000Z'])
})
