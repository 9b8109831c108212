import { until } from '@harvestman/testing'
import { memoryStore } from '@harvestman/embedded'
import type { KeptEntry } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { openLog } from '@harvestman/coordination'
import type { Job } from './handle.ts'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore } from './fixtures/suite.ts'

/** A store that can be put back to an earlier state while it is used. */
function rewindable() {
  const store = sharedStore()
  const all = async (): Promise<readonly KeptEntry[]> => {
    const found: KeptEntry[] = []
    for await (const some of store.scan!('')) found.push(...some)
    return found
  }
  return {
    store,
    save: all,
    /** Puts the store back; with `beginning` only the keys that begin so. */
    goBack: async (saved: readonly KeptEntry[]) => {
      for (const { key } of await all()) await store.delete(key)
      for (const { key, value, ttl } of saved) await store.set(key, value, ttl === undefined ? {} : { ttl })
    },
  }
}

type Rewindable = ReturnType<typeof rewindable>

/** Pages whose store is saved at one of them and goes back at a later one. */
function goingBack(store: Rewindable, { saved, back }: { readonly saved: number; readonly back: number }) {
  let made = 0
  let state: readonly KeptEntry[] | undefined
  const page: MakePage = async (task, visit) => {
    made += 1
    if (made === saved) state = await store.save()
    if (made === back) await store.goBack(state ?? [])
    // So that a segment has few pages; and pages that are loaded again come in another order.
    await new Promise((resolve) => setTimeout(resolve, made > back && made % 2 === 0 ? 90 : 15))
    return { document: documentOf(task, visit) }
  }
  return { page, made: () => made }
}

let made = 0
const slow: MakePage = async (task, visit) => {
  made += 1
  await new Promise((resolve) => setTimeout(resolve, 15))
  return { document: documentOf(task, visit) }
}

async function allEvents(job: Job): Promise<void> {
  for await (const _ of job.events());
}

/** The addresses of the documents, read from before the job has any until it is over. */
async function readAlong(job: Job): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { metadata } of job.documents()) found.push(metadata.sourceURL)
  return found
}

async function countEvents(job: Job): Promise<number> {
  let count = 0
  for await (const { type } of job.events()) if (type === 'page') count += 1
  return count
}

async function allPages(job: Job): Promise<number> {
  let count = 0
  for (let next: number | undefined = 0; next !== undefined;) {
    const found = await job.page({ skip: next, limit: 10, maxBytes: 1e6 })
    count += found.count
    next = found.next
  }
  return count
}

describe('a store that is put back to an earlier state in the middle of a job', () => {
  test.each([
    { saved: 20, back: 22 },
    { saved: 10, back: 30 },
    { saved: 30, back: 59 },
  ])('has its lost pages loaded again: saved at page $saved, put back at page $back', async (at) => {
    const rewound = rewindable()
    const told: string[] = []
    const { page, made } = goingBack(rewound, at)
    const { open, jobs } = bench({
      store: rewound.store,
      page,
      concurrency: 2,
      leaseTime: 300,
      wentBack: (id) => void told.push(id),
    })
    const job = await open(60)
    const reading = readAlong(job)
    const status = await job.end()
    expect(status).toMatchObject({ status: 'completed', total: 60, completed: 60, failed: 0 })
    const addresses = await addressesOf(job)
    expect(addresses).toEqual(numbers(60))
    const along = await reading
    expect(along).toHaveLength(60)
    expect(new Set(along).size).toBe(60)
    expect(await allPages(job)).toBe(60)
    expect(made()).toBeGreaterThan(60)
    expect(told).toEqual([job.id])
    expect(await jobs.running(team)).toEqual([])
  })

  test('before the job began, has the job begin again', async () => {
    const rewound = rewindable()
    const before = await rewound.save()
    let made = 0
    const page: MakePage = async (task, visit) => {
      made += 1
      if (made === 20) await rewound.goBack(before)
      await new Promise((resolve) => setTimeout(resolve, 15))
      return { document: documentOf(task, visit) }
    }
    const { open, jobs } = bench({ store: rewound.store, page, concurrency: 2, leaseTime: 300 })
    const job = await open(60)
    await until('the store went back', () => made >= 20)
    let status = ''
    await until('the job ended', () => {
      void job.status().then(
        (now) => (status = now.status),
        () => undefined,
      )
      return status === 'completed'
    })
    expect(await addressesOf(job)).toEqual(numbers(60))
    expect((await jobs.list(team)).jobs).toMatchObject([{ id: job.id, status: 'completed' }])
    expect(await jobs.running(team)).toEqual([])
  })
})

test('a job that ended, and runs again because its store went back while it was read, is read to its new end', async () => {
  const rewound = rewindable()
  let goesBack: Promise<void> | undefined
  let isReading = false
  const store: typeof rewound.store = {
    ...rewound.store,
    get: async (key) => {
      if (isReading && key.includes('/log/')) await (goesBack ??= rewound.goBack(state ?? []))
      return rewound.store.get(key)
    },
    getMany: async (keys) => {
      if (isReading && keys.some((key) => key.includes('/log/'))) await (goesBack ??= rewound.goBack(state ?? []))
      return rewound.store.getMany!(keys)
    },
  }
  let made = 0
  let state: readonly KeptEntry[] | undefined
  const page: MakePage = async (task, visit) => {
    made += 1
    if (made === 20) state = await rewound.save()
    await new Promise((resolve) => setTimeout(resolve, 15))
    return { document: documentOf(task, visit) }
  }
  const { open } = bench({ store, page, concurrency: 2, leaseTime: 300 })
  const job = await open(40)
  expect(await job.end()).toMatchObject({ completed: 40 })
  isReading = true
  const [along, events] = await Promise.all([readAlong(job), countEvents(job)])
  expect(goesBack).toBeDefined()
  expect(new Set(along).size).toBe(40)
  expect(along).toHaveLength(40)
  expect(events).toBeGreaterThanOrEqual(40)
})

describe('a job that no worker would look for', () => {
  test('is opened again when its status is read, and told of', async () => {
    const store = sharedStore()
    const told: string[] = []
    const first = openBench({ store, page: () => new Promise(() => undefined) })
    const job = await first.open(3)
    await first.close()
    await store.delete(`list/jobs/open/${job.id}`)
    const next = bench({ store, leaseTime: 30, stranded: (id) => void told.push(id) })
    const found = await next.jobs.find(job.id, team)
    expect(await found.end()).toMatchObject({ status: 'completed', completed: 3 })
    expect(told).toEqual([job.id])
  })

  test('ends with the reason when its log is lost', async () => {
    const store = sharedStore()
    const first = openBench({ store, page: () => new Promise(() => undefined) })
    const job = await first.open(3)
    await first.close()
    await store.delete(`list/jobs/open/${job.id}`)
    await store.delete(`job/${job.id}/log/0`)
    const { jobs } = bench({ store, leaseTime: 30 })
    const found = await jobs.find(job.id, team)
    const status = await found.status()
    expect(status).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('has lost the start of this job'),
    })
    expect(await found.cancel()).toBe(false)
  })
})

test('pages of a job that is over and cannot be read are named, and its reader comes to an end', async () => {
  const store = sharedStore()
  const { open } = bench({ store, concurrency: 1, page: slow })
  const job = await open(12)
  await job.end()
  await store.delete(`job/${job.id}/log/5`)
  const lost = { code: 'store_failed', message: expect.stringMatching(/has lost \d+ of the 12 pages/) }
  await expect(allPages(job)).rejects.toMatchObject(lost)
  await expect(addressesOf(job)).rejects.toMatchObject(lost)
  await expect(allEvents(job)).rejects.toMatchObject({ code: 'store_failed' })
})

test('what a writer adds beyond a gap is replaced by the next writer, and by no other', async () => {
  const store = memoryStore()
  const log = openLog(store, 'job', () => ({}))
  const segment = (by: string, after?: string) => ({ head: by, by, after, body: [] })
  await log.append(0, segment('one'))
  // The store has lost places 1 to 3.
  expect(await log.append(4, segment('one', 'one'))).toBe(true)
  expect(await log.append(1, segment('two', 'one'))).toBe(true)
  for (const place of [2, 3]) expect(await log.append(place, segment('two', 'two'))).toBe(true)
  expect(await log.append(4, segment('two', 'two'))).toBe(true)
  expect(await log.append(4, segment('one', 'one'))).toBe(false)
  expect((await log.read(4))?.by).toBe('two')
  await log.cut(3, 5, 'one')
  expect((await log.read(4))?.by).toBe('two')
})

test(
  'a snapshot beyond a gap in the log is not used: the job continues from before the gap',
  { tags: ['long'] },
  async () => {
    const store = sharedStore()
    made = 0
    const first = openBench({ store, concurrency: 1, page: slow })
    const job = await first.open(400)
    await until('some pages came', () => made >= 80)
    await first.close()
    expect(await store.get(`job/${job.id}/snapshot`)).toBeDefined()
    await store.delete(`job/${job.id}/log/10`)
    const next = bench({ store, leaseTime: 30 })
    const found = await next.jobs.find(job.id, team)
    expect(await found.end()).toMatchObject({ status: 'completed', completed: 400 })
    expect(await addressesOf(found)).toEqual(numbers(400))
  },
)
