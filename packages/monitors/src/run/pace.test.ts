// Pages that are looked at as often as they change: the others are in the check as they were, and are not loaded.
import { expect, test } from 'vitest'

import { day, house, nextCheck, pageOf, runNow, type Pages } from '../fixtures/house.ts'
import { waitOf } from './pace.ts'

const first = Date.parse('2026-01-01')
const urls = ['/still', '/lively'].map((path) => `https://shop.test${path}`)

async function live(days: number) {
  const pages: Pages = { '/still': pageOf('Always the same.'), '/lively': pageOf('Day 0.') }
  const own = house({ pages, given: { pollInterval: 3_600_000 } })
  const { engine, clock, asked } = own
  const { id } = await engine.monitors.create({
    name: 'All',
    schedule: { text: 'daily', jitter: 0 },
    targets: [{ type: 'scrape', urls, revisitWithin: 8 * day }],
  })
  const looks: string[] = []
  for (let today = 1; today <= days; today += 1) {
    pages['/lively'] = pageOf(`This is what it says on day ${today}.`)
    const ended = nextCheck(engine.monitors, id)
    await engine.monitors.checks(id)
    asked.length = 0
    clock.moveOn(first + today * day - clock.now() + 1)
    await ended
    looks.push(
      asked
        .filter((url) => urls.includes(url))
        .map((url) => new URL(url).pathname.slice(1, 2))
        .toSorted()
        .join(''),
    )
  }
  return { ...own, id, looks }
}

test(
  'a page that never changes is looked at ever less often, down to a bound, and one that always does at each check',
  { tags: ['long'] },
  async () => {
    const { engine, looks } = await live(22)
    expect(looks.flatMap((who, at) => (who.includes('s') ? [at + 1] : []))).toEqual([1, 2, 4, 10, 18])
    expect(looks.every((who) => who.includes('l'))).toBe(true)
    await engine.close()
  },
)

test('a page that is not due is in the check as it was, and costs nothing', async () => {
  const { engine, id } = await live(3)
  const [third, second] = await engine.monitors.checks(id)
  const pageOfCheck = async (check = '') => {
    const { pages } = await engine.monitors.check(id, check)
    return pages.find(({ url }) => url.endsWith('/still'))
  }
  const looked = await pageOfCheck(second?.id)
  expect(await pageOfCheck(third?.id)).toMatchObject({
    status: 'same',
    currentScrapeId: looked?.currentScrapeId,
    metadata: { lookedAt: '2026-01-03T00:00:00.000Z' },
  })
  expect([second?.actualCredits, third?.actualCredits]).toEqual([2, 1])
  await engine.close()
})

test('a check that is asked for looks at all pages', async () => {
  const own = await live(3)
  own.asked.length = 0
  await runNow(own, own.id)
  expect(own.asked.filter((url) => urls.includes(url)).toSorted()).toEqual(urls.toSorted())
  await own.engine.close()
})

test('the wait is twice the time between changes, within its bound, and none where each look finds one', () => {
  const pace = { since: 0, at: 12 * day, looks: 12 }
  expect([0, 1, 3, 12].map((changes) => waitOf({ ...pace, changes }, 14 * day) / day)).toEqual([14, 11, 4.5, 0])
})
