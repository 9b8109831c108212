import { memoryStore } from '@harvestman/testing'
import type { Store } from '@harvestman/ports'
import { expect, onTestFinished, test } from 'vitest'

import { openPageCounts, type LoadingPages } from './page-counts.ts'

const polling = { timeout: 60_000 }

function world() {
  const store: Store = { ...memoryStore(), reach: 'shared' }
  const open = (owner: string) => {
    const here = new Map<string, LoadingPages>()
    const counts = openPageCounts({ store, owner, here: () => here })
    onTestFinished(() => counts.close())
    return { ...counts, here }
  }
  return { store, open }
}

test('the loading pages of a team are those of all engines', async () => {
  const { open } = world()
  const [one, two, three] = [open('one'), open('two'), open('three')]
  one.here.set('acme', { ofJobs: 2, single: 1 })
  two.here.set('acme', { ofJobs: 0, single: 4 }).set('other', { ofJobs: 9, single: 9 })
  for (const engine of [one, two, three])
    await expect.poll(() => engine.of('acme'), polling).toEqual({ ofJobs: 2, single: 5 })
  expect(await three.of('toString')).toEqual({ ofJobs: 0, single: 0 })
})

test('the pages of an engine that has loaded them or was closed are no longer counted', async () => {
  const { open, store } = world()
  const [one, two, three] = [open('one'), open('two'), open('three')]
  two.here.set('acme', { ofJobs: 1, single: 0 })
  three.here.set('acme', { ofJobs: 2, single: 0 })
  await expect.poll(() => one.of('acme'), polling).toEqual({ ofJobs: 3, single: 0 })
  two.here.clear()
  await expect.poll(() => one.of('acme'), polling).toEqual({ ofJobs: 2, single: 0 })
  await three.close()
  expect(await one.of('acme')).toEqual({ ofJobs: 0, single: 0 })
  expect(await store.list('list/loading/', { limit: 10 })).toEqual([])
})

test('an engine whose store no other process shares writes nothing', async () => {
  const store = memoryStore()
  const here = new Map([['acme', { ofJobs: 1, single: 2 }]])
  const counts = openPageCounts({ store, owner: 'one', here: () => here })
  expect(await counts.of('acme')).toEqual({ ofJobs: 1, single: 2 })
  await counts.close()
  expect(await store.list('list/', { limit: 10 })).toEqual([])
})
