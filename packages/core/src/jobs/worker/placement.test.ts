import { embeddedQueue } from '@harvestman/embedded'
import { isRecord, type Queue, type Store } from '@harvestman/ports'
import { expect, onTestFinished, test } from 'vitest'

import type { Job } from '../handle.ts'
import { madeUp, type Bench } from '../fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from '../fixtures/suite.ts'
import { leaseKey } from './job-lease.ts'
import { countExcessJobs } from './placement.ts'

const polling = { timeout: 60_000, interval: 20 }

/** Workers on one store, and on one queue if there is one. Pages end when the test says so. */
function openSome(queue?: Queue) {
  const store = sharedStore()
  const loaded = new Map<string, string[]>()
  const free = Promise.withResolvers<void>()
  let isFree = false
  const add = (owner: string): Bench => {
    loaded.set(owner, [])
    return bench({
      ...{ store, owner, concurrency: 4, teamConcurrency: 10_000, ...(queue && { queue }) },
      page: async (task, visit) => {
        loaded.get(owner)?.push(visit.key)
        if (!isFree) await Promise.race([free.promise, new Promise((resolve) => setTimeout(resolve, 200))])
        return madeUp(task, visit)
      },
    })
  }
  const end = (): void => {
    isFree = true
    free.resolve()
  }
  return { add, loaded, end, spread: (jobs: readonly Job[]) => spread(store, jobs) }
}

/** A queue of several engines. */
function sharedQueue(): Queue {
  const queue = embeddedQueue()
  onTestFinished(() => queue.close())
  return { ...queue, reach: 'shared' }
}

/** How many of the jobs each worker has, the one that has most first. */
async function spread(store: Store, jobs: readonly Job[]): Promise<readonly number[]> {
  const leases = await Promise.all(jobs.map(({ id }) => store.get(leaseKey(id))))
  const held = leases.filter(
    (lease): lease is { readonly owner: string } => isRecord(lease) && lease['isFree'] !== true,
  )
  const counts = Map.groupBy(held, ({ owner }) => owner)
  return [...counts.values()].map(({ length }) => length).toSorted((one, other) => other - one)
}

const pages = 1_000

async function openJobs(worker: Bench, count: number): Promise<Job[]> {
  return Promise.all(Array.from({ length: count }, () => worker.open(pages)))
}

async function expectAll(jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    expect(await job.end()).toMatchObject({ status: 'completed', completed: pages })
    expect(await addressesOf(job)).toEqual(numbers(pages))
  }
}

for (const [name, queue] of [
  ['one queue', sharedQueue],
  ['a queue of each', () => undefined],
] as const)
  test(
    `eight jobs on three workers with ${name} are 3, 3 and 2, and one that starts later takes its share`,
    { tags: ['long'] },
    async () => {
      const { add, loaded, end, spread } = openSome(queue())
      const workers = ['one', 'two', 'three'].map(add)
      for (const { jobs } of workers) await jobs.work()
      const opened = await openJobs(workers[0]!, 8)
      await expect.poll(() => spread(opened), polling).toEqual([3, 3, 2])
      await add('four').jobs.work()
      await expect.poll(() => spread(opened), polling).toEqual([2, 2, 2, 2])
      end()
      await expectAll(opened)
      expect([...loaded.values()].flat()).toHaveLength(8 * pages)
    },
  )

test('a worker that has one job keeps it', { tags: ['long'] }, async () => {
  const { add, loaded, end } = openSome(sharedQueue())
  const one = add('one')
  const [job] = await openJobs(one, 1)
  await expect.poll(() => loaded.get('one')?.length, polling).toBeGreaterThan(0)
  await add('two').jobs.work()
  end()
  await expectAll([job!])
  expect(loaded.get('two')).toEqual([])
})

test.each([
  [[4, 4, 0], 1],
  [[8, 0, 0], 5],
  [[3, 3, 2], 0],
  [[3, 3, 1], 1],
  [[3, 3, 2, 0], 1],
  [[1, 0], 0],
  [[5], 0],
])('of the jobs of workers that have %j, the first has %i beyond its share', ([own = 0, ...others], beyond) => {
  expect(countExcessJobs(own, others)).toBe(beyond)
})
