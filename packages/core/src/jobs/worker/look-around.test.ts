import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Job } from '../handle.ts'
import { madeUp, type MakePage } from '../fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from '../fixtures/suite.ts'

// Leases are measured by a clock that only the test sets forth, so that no worker is taken for dead on a busy machine.
const clock = handClock()
const leaseTime = 300

/** Two workers on one store, of which the first has all jobs, and what each of them has loaded. */
async function openTwo(jobs: number, pages: number, concurrency = 8) {
  const store = sharedStore(clock)
  const loaded: Record<string, string[]> = { first: [], second: [] }
  const pageOf = (worker: string): MakePage => {
    return async (task, visit) => {
      loaded[worker]?.push(visit.key)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return madeUp(task, visit)
    }
  }
  const open = (owner: string) => bench({ store, clock, leaseTime, owner, page: pageOf(owner), concurrency })
  const first = open('first')
  const opened: Job[] = []
  for (let job = 0; job < jobs; job += 1) opened.push(await first.open(pages))
  // On a busy machine the second would take jobs over that the first has not come to yet.
  await expect.poll(() => jobsIn(loaded['first']).size).toBe(jobs)
  await clock.pass(10_000)
  const second = open('second')
  await second.jobs.work()
  return { opened, loaded, first, second }
}

const jobsIn = (keys: readonly string[] = []): Set<string> => new Set(keys.map((key) => key.split('/')[0] ?? ''))

test('a worker that has less to do is given jobs of a busy one, and no page is loaded twice or lost', async () => {
  const { opened, loaded } = await openTwo(8, 150)
  for (const job of opened) {
    expect(await job.end()).toMatchObject({ status: 'completed', completed: 150 })
    expect(await addressesOf(job)).toEqual(numbers(150))
  }
  const [first, second] = [jobsIn(loaded['first']), jobsIn(loaded['second'])]
  expect(second.size).toBeGreaterThanOrEqual(2)
  expect(first.size).toBe(8)
  expect(Object.values(loaded).flat()).toHaveLength(8 * 150)
})

test('a worker that has places for all of its pages keeps its jobs', async () => {
  const { opened, loaded } = await openTwo(4, 400, 1_000)
  for (const job of opened) expect(await job.end()).toMatchObject({ status: 'completed', completed: 400 })
  expect(loaded['second']).toEqual([])
})

test('a worker that has one job keeps it', async () => {
  const { opened, loaded } = await openTwo(1, 200)
  expect(await opened[0]?.end()).toMatchObject({ status: 'completed', completed: 200 })
  expect(loaded['second']).toEqual([])
})
