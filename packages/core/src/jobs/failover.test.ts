import { memoryStore } from '@harvestman/embedded'
import { EngineError, type KeptEntry, type Store, systemClock } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { makeWorkWrappers } from '../scrape/work-wrappers.ts'
import { documentOf, team, type MakePage } from './fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from './fixtures/suite.ts'
import type { JobKit } from './kit.ts'
import { openRemotePages } from './run/open-remote-pages.ts'

/** When the store moves to another server: as a segment is sent, before it is, or while it is written. */
type Moment = 'its segment is sent' | 'its segment is made' | 'its segment is written'

/**
 * A store that moves to another server once, when the next segment of a log comes after `arm`. What was written since `arm`
 * is not there. Checkpoints are written on their own time, so those that come meanwhile wait for the new server: a checkpoint
 * that was written and lost would be reported, correctly.
 */
function failingOver(moment: Moment) {
  const server = { ...memoryStore(), reach: 'shared' } satisfies Store
  let [generation, isArmed] = [0, false]
  let saved: Promise<readonly KeptEntry[]> = Promise.resolve([])
  let moving = Promise.resolve()
  let writing: Promise<unknown> = Promise.resolve()
  const hasMoved = Promise.withResolvers<void>()
  const all = async (): Promise<readonly KeptEntry[]> => {
    const found: KeptEntry[] = []
    for await (const some of server.scan!('')) found.push(...some)
    return found
  }
  const move = async (): Promise<void> => {
    const kept = await saved
    for (const { key } of await all()) await server.delete(key)
    for (const { key, value, ttl } of kept) await server.set(key, value, ttl === undefined ? {} : { ttl })
    generation += 1
    hasMoved.resolve()
  }
  const through = async <T>(call: () => Promise<T>): Promise<T> => (await moving, call())
  const isSegment = (key: string): boolean => /^job\/[^/]+\/log\//.test(key)
  const isCheckpoint = (key: string): boolean => /^job\/[^/]+$/.test(key)
  const store: Store = {
    ...server,
    generation: () => generation,
    get: (key) => through(() => server.get(key)),
    getMany: (keys) => through(() => server.getMany!(keys)),
    has: (keys) => through(() => server.has!(keys)),
    list: (...given) => through(() => server.list(...given)),
    set: (...given) => through(() => server.set(...given)),
    delete: (key) => through(() => server.delete(key)),
    add: (...given) => through(() => server.add!(...given)),
    update: async (key, ...given) => {
      await moving
      if (isCheckpoint(key)) {
        if (isArmed) await hasMoved.promise
        return (writing = server.update(key, ...given))
      }
      if (!isArmed || !isSegment(key)) return server.update(key, ...given)
      isArmed = false
      if (moment === 'its segment is sent') {
        moving = move()
        throw new EngineError('store_failed', 'The connection broke.')
      }
      moving = move()
      await moving
      return server.update(key, ...given)
    },
  }
  return {
    store,
    arm: async (): Promise<void> => {
      isArmed = true
      await writing
      saved = all()
      await saved
    },
    moveNow: async (): Promise<void> => {
      isArmed = false
      moving = move()
      await moving
    },
  }
}

/** The rows that pages have written, beside the log of their job. */
async function rowsIn(store: Store): Promise<readonly string[]> {
  return (await store.list('list/rows/', { limit: 1_000 })).map(({ value }) => value as string).toSorted()
}

describe('what a page has written before its fact is in the log is there again, when the store moves to another server', () => {
  test.each<Moment>(['its segment is sent', 'its segment is made', 'its segment is written'])(
    'as %s',
    async (moment) => {
      const { store, arm, moveNow } = failingOver(moment)
      let loads = 0
      const told: string[] = []
      const page: MakePage = async (task, visit) => {
        loads += 1
        const isLast = loads === 10
        if (isLast) await arm()
        await store.set(`list/rows/${task.number}`, task.url)
        if (isLast && moment === 'its segment is made') await moveNow()
        return { document: documentOf(task, visit) }
      }
      const { open, jobs } = bench({
        store,
        page,
        concurrency: 1,
        // A run that loses its lease meanwhile is followed by one that also reports the segment that was cut.
        leaseTime: 5_000,
        wentBack: (id) => void told.push(id),
      })
      const job = await open(20)
      expect(await job.end()).toMatchObject({
        status: 'completed',
        total: 20,
        completed: 20,
        failed: 0,
        creditsUsed: 20,
      })
      expect(await rowsIn(store)).toEqual(numbers(20))
      expect(await addressesOf(job)).toEqual(numbers(20))
      expect(loads).toBe(21)
      // The log itself has lost nothing.
      expect(told).toEqual([])
      expect(await jobs.running(team)).toEqual([])
    },
  )
})

test('a page of another engine is given back when the store moves to another server before its document is kept', async () => {
  const store = sharedStore()
  let generation = 0
  const { open } = bench({ store, page: () => new Promise(() => undefined) })
  const { id } = await open(1)
  const kit = {
    store: { ...store, generation: () => generation },
    storeOf: () => store,
    clock: systemClock,
    scrape: { around: makeWorkWrappers() },
    kinds: [{ name: 'count', remoteReadings: [], pages: () => ({}) }],
    scrapePage: async ({ url }: { readonly url: string }) => ({
      document: { metadata: { creditsUsed: 1 } },
      visit: { page: { url, status: 200, headers: {} } },
      values: {},
    }),
  } as unknown as JobKit
  const { one, keep } = await openRemotePages(kit)(id, 'loan')
  const { signal } = new AbortController()
  const load = (task: number) => one({ task, url: `https://made.up/${task}` }, signal)
  const before = await load(0)
  generation += 1
  const after = await load(1)
  expect(await keep([before!, after!], 0)).toEqual([
    null,
    expect.objectContaining({ url: 'https://made.up/1', kept: expect.objectContaining({ place: 0 }) }),
  ])
})
