import { createEngine, memoryStore } from '@harvestman/core'
import { recrawl } from '@harvestman/recrawl'
import { livingDay, livingSite, movedClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { endOf } from '../fixtures/house.ts'
import { monitors } from '../index.ts'

test(
  'an incremental crawl of a monitor tells all changes of an honest site, and loads few of its pages',
  { tags: ['long'] },
  async () => {
    const clock = movedClock()
    const site = livingSite({ clock, pages: 40, days: 10, gone: 0, moved: 0, trouble: 0, seed: 5, honesty: 'honest' })
    await using engine = createEngine({
      ...{ clock, store: memoryStore({ clock }), fetcher: () => site.fetcher },
      resolver: async () => [{ address: '93.184.215.14', family: 4 as const }],
      plugins: [monitors({ pollInterval: 1_000 }), recrawl()],
    })
    const crawlOptions = { ignoreQueryParameters: true, excludePaths: ['^/page/0$'] }
    const { id } = await engine.monitors.create({
      name: 'Site',
      // On none of these days, so that no check begins but those that are asked for.
      schedule: { cron: '0 0 20 * *' },
      targets: [{ type: 'crawl', url: 'http://living.test/', crawlOptions, incremental: true }],
    })
    const ended = engine.monitors.watch(id)[Symbol.asyncIterator]()
    const states = () => new Map(site.paths.map((path) => [path, JSON.stringify(site.stateOf(path, clock.now()))]))
    let before = states()
    for (let day = 0; day <= 4; day += 1) {
      const loaded = site.served.requests - site.served.notModified
      await engine.monitors.run(id)
      const { value: check } = await ended.next()
      const { pages } = await engine.monitors.check(id, String(check?.id), { limit: 100 })
      const now = states()
      const changed = site.paths.filter((path) => now.get(path) !== before.get(path))
      const told = pages.filter(({ status }) => status === 'changed').map(({ url }) => new URL(url).pathname)
      if (day > 0) expect(told.toSorted()).toEqual(changed.toSorted())
      if (day === 4) expect(site.served.requests - site.served.notModified - loaded).toBeLessThan(28)
      before = now
      clock.moveOn(livingDay)
    }
  },
)

test(
  'an incremental list of pages is looked at in its pace, and whole when a check is asked for',
  { tags: ['long'] },
  async () => {
    const clock = movedClock()
    const site = livingSite({
      clock,
      pages: 10,
      days: 10,
      ...{ gone: 0, moved: 0, trouble: 0 },
      honesty: 'says nothing',
    })
    await using engine = createEngine({
      ...{ clock, store: memoryStore({ clock }), fetcher: () => site.fetcher },
      resolver: async () => [{ address: '93.184.215.14', family: 4 as const }],
      plugins: [monitors({ pollInterval: 1_000 }), recrawl()],
    })
    const urls = site.paths.map((path) => `http://living.test${path}`)
    const { id } = await engine.monitors.create({
      name: 'Pages',
      schedule: { text: 'daily', jitter: 0 },
      targets: [{ type: 'scrape', urls, incremental: true, revisitWithin: 5 * livingDay }],
    })
    const loads: number[] = []
    const ended = engine.monitors.watch(id)[Symbol.asyncIterator]()
    for (let day = 1; day <= 3; day += 1) {
      const before = site.served.requests
      clock.moveOn(livingDay)
      await ended.next()
      loads.push(site.served.requests - before)
    }
    expect(loads.slice(0, 2)).toEqual([10, 10])
    expect(loads[2]).toBeLessThan(5)
    const before = site.served.requests
    const { id: asked } = await engine.monitors.run(id)
    await endOf(engine.monitors, id, asked)
    expect(site.served.requests - before).toBe(10)
  },
)

test('a crawl with a longest time between two loads has to be incremental', async () => {
  await using engine = createEngine({ plugins: [monitors(), recrawl()] })
  const target = { type: 'crawl', url: 'http://living.test/', revisitWithin: livingDay } as const
  const monitor = { name: 'Site', schedule: { text: 'daily' }, targets: [target] }
  await expect(engine.monitors.create(monitor)).rejects.toThrow(/revisitWithin.*incremental: true/)
})
