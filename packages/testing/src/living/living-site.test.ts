import { expect, test } from 'vitest'

import { movedClock } from '../fakes/moved-clock.ts'
import { livingSite } from './living-site.ts'
import { livingDay, planSite, stateAt } from './plan.ts'

test('a plan is the same for the same seed, and another one for another', () => {
  const plan = (seed: number) => planSite({ seed, pages: 20, days: 30 })
  expect(plan(3)).toEqual(plan(3))
  expect(plan(4)).not.toEqual(plan(3))
})

test('a page changes when its plan says so, and by its noise alone before', async () => {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 40, gone: 0, moved: 0, trouble: 0 })
  const number = site.plans.findIndex(({ events }) => (events[0]?.at ?? 0) > livingDay)
  const path = `/page/${number}`
  const read = async () => (await site.answer(path)).body
  const bare = (html: string) =>
    html.replaceAll(
      /<p>(?:Page generated|[\d,]+ views|Last seen)[^<]*<\/p>|sid=\w*|v=\w*|value="\w*"|class="ad[^<]*/g,
      '',
    )
  const [one, two] = [await read(), await read()]
  expect(one).not.toBe(two)
  expect(bare(one)).toBe(bare(two))
  clock.moveOn(site.plans[number]!.events[0]!.at + 1)
  expect(bare(await read())).not.toBe(bare(one))
})

test('pages go, move and fail as their plan says', async () => {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 200, trouble: 0.02, slowness: 0 })
  const start = clock.now()
  clock.moveOn(60 * livingDay)
  const at = clock.now() - start
  const statuses = await Promise.all(site.paths.map(async (path) => (await site.answer(path)).status))
  const expected = site.plans.map((plan) => {
    const { isFailing, isGone, isMoved } = stateAt(plan, at)
    return isFailing ? 503 : isGone ? 410 : isMoved ? 301 : 200
  })
  expect(statuses).toEqual(expected)
  expect(new Set(statuses)).toEqual(new Set([200, 301, 410, 503]))
})

test('an honest page is not sent twice, and one that lies says that it has not changed', async () => {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 300, gone: 0, moved: 0, trouble: 0, changes: 6 })
  const again = async (honesty: string) => {
    const number = site.plans.findIndex((plan) => plan.honesty === honesty && plan.events.length > 0)
    const { headers } = await site.answer(`/page/${number}`)
    clock.moveOn(90 * livingDay)
    return (await site.answer(`/page/${number}`, { 'if-none-match': headers['etag'] })).status
  }
  expect(await again('same etag for ever')).toBe(304)
  expect(await again('new etag each time')).toBe(200)
})

test('its feed names a hub, and the pages that have changed last first', async () => {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 20, days: 10, gone: 0, moved: 0, trouble: 0, changes: 4, feed: 'honest' })
  expect((await site.answer('/')).body).toContain('<link rel="alternate" type="application/atom+xml" href="/feed.xml">')
  clock.moveOn(9 * livingDay)
  const { body } = await site.answer('/feed.xml')
  const times = [...body.matchAll(/<entry>.*?<updated>(.*?)<\/updated>/g)].map(([, time]) => time)
  expect(body).toContain('rel="hub"')
  expect(times).toEqual(times.toSorted((one = '', other = '') => other.localeCompare(one)))
  expect(new Set(times).size).toBeGreaterThan(5)
})
