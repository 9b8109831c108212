import { createEngine, memoryStore } from '@harvestman/core'
import { recrawl } from '@harvestman/recrawl'
import { livingDay, livingSite, movedClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { monitors } from '../index.ts'

test('an incremental crawl of a monitor tells all changes of an honest site, and loads few of its pages', async () => {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 40, days: 10, gone: 0, moved: 0, trouble: 0, seed: 5, honesty: 'honest' })
  await using engine = createEngine({
    ...{ clock, store: memoryStore({ clock }), fetcher: () => site.fetcher },
    resolver: async () => [{ address: '93.184.215.14', family: 4 as const }],
    plugins: [monitors({ lookEvery: 1_000 }), recrawl()],
  })
  const crawlOptions = { ignoreQueryParameters: true, excludePaths: ['^/page/0$'] }
  const { id } = await engine.monitors.create({
    name: 'Site',
    schedule: { text: 'weekly' },
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
})
