// @module-tag long
// Where the jobs of three workers run, on each server that workers share.
import { isRecord, type Queue, type Store } from '@harvestman/ports'
import { bossQueue, postgresStore } from '@harvestman/postgres'
import { bullQueue, redisStore } from '@harvestman/redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { madeUp, openBench } from '../../../packages/core/src/jobs/fixtures/bench.ts'
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'

interface Server {
  readonly url: string
  remove(): Promise<void>
}

const polling = { timeout: 90_000, interval: 50 }
const pages = 600

/** Opens workers on a server, each with connections of its own, and jobs that last until the test ends. */
function testOn(start: () => Promise<Server>, open: (url: string) => { readonly store: Store; readonly queue: Queue }) {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.remove())

  test('eight jobs on three workers are 3, 3 and 2, and a worker that starts later takes its share', async () => {
    let isFree = false
    let loaded = 0
    const add = async (owner: string) => {
      const { store, queue } = open(server.url)
      const page: typeof madeUp = async (task, visit) => {
        loaded += 1
        // Slow and few at once, so that no job ends before all workers have been seen, on a busy machine either.
        if (!isFree) await new Promise((resolve) => setTimeout(resolve, 800))
        return madeUp(task, visit)
      }
      const worker = openBench({ store, queue, owner, page, concurrency: 8, teamConcurrency: 10_000 })
      onTestFinished(async () => {
        await worker.close()
        await queue.close()
        await store.close()
      })
      await worker.jobs.work()
      return worker
    }
    const [first] = await Promise.all(['one', 'two', 'three'].map(add))
    const jobs = await Promise.all(Array.from({ length: 8 }, () => first!.open(pages)))
    const spread = async (): Promise<readonly number[]> => {
      const leases = await Promise.all(jobs.map(({ id }) => first!.store.get(`job/${id}/lease`)))
      const held = leases.filter((one) => isRecord(one) && one['isFree'] !== true) as { readonly owner: string }[]
      const counts = [...Map.groupBy(held, ({ owner }) => owner).values()].map(({ length }) => length)
      return counts.toSorted((one, other) => other - one)
    }
    await expect.poll(spread, polling).toEqual([3, 3, 2])
    await add('four')
    await expect.poll(spread, polling).toEqual([2, 2, 2, 2])
    isFree = true
    for (const job of jobs) expect(await job.end()).toMatchObject({ status: 'completed', completed: pages })
    expect(loaded).toBe(8 * pages)
  })
}

describe('jobs are placed on Redis:', { tags: ['redis'] }, () => {
  testOn(startRedis, (url) => ({ store: redisStore(url), queue: bullQueue(url) }))
})

describe('jobs are placed on Postgres:', { tags: ['postgres'] }, () => {
  const start = (): ReturnType<typeof startPostgres> => startPostgres('fsync=off')
  testOn(start, (url) => ({ store: postgresStore(url), queue: bossQueue(url) }))
})
