import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { documentOf, team, type MakePage } from './fixtures/bench.ts'
import { addressesOf, bench, numbers, sharedStore, storeThrough } from './fixtures/suite.ts'
import type { Jobs } from './jobs.ts'

/** The first page has groups of notes that are stored before it; each note adds pages to the job. */
const page: MakePage = async (task, visit) => ({
  document: documentOf(task, visit),
  ...(task.number === 0 && { earlierNotes: [[{ pages: 1 }, { pages: 1 }], [{ pages: 3 }]] }),
})

async function factsOf(jobs: Jobs, id: string): Promise<string[]> {
  const names: string[] = []
  for await (const fact of jobs.facts(id, team)) names.push(fact.is)
  return names
}

test('groups of notes that are stored before their page are written one by one', async () => {
  const segments = new Set<string>()
  const store = sharedStore()
  const noting = storeThrough(store, (work) => work())
  const { jobs, open } = bench({
    store: { ...noting, update: (key, ...given) => (segments.add(key), store.update(key, ...given)) },
    page,
    concurrency: 1,
  })
  const job = await open(1)
  await expect.poll(async () => (await job.status()).completed).toBe(6)
  expect(await addressesOf(job)).toEqual(numbers(6))
  expect((await factsOf(jobs, job.id)).slice(0, 6)).toEqual(['opened', 'noted', 'taken', 'noted', 'noted', 'noted'])
  expect([...segments].filter((key) => key.includes('/log/')).length).toBeGreaterThan(4)
})

test('an engine that ends between such notes and their page leaves the page to the next one', async () => {
  const store = sharedStore()
  let facts = 0
  let isClosed = false
  const closing = storeThrough(
    store,
    (work) => work(),
    (work) => (isClosed ? Promise.reject(new EngineError('closed', 'The store is closed.')) : work()),
  )
  const first = bench({
    store: {
      ...closing,
      update: (key, ...given) => {
        // The start of the job, its worker, and the first note.
        if (key.includes('/log/') && (facts += 1) > 3) isClosed = true
        return closing.update(key, ...given)
      },
    },
    page,
    concurrency: 1,
    leaseTime: 50,
  })
  const job = await first.open(1)
  await expect.poll(() => isClosed).toBe(true)
  await first.close()
  const next = bench({ store, page, leaseTime: 50 })
  const found = await next.jobs.find(job.id, team)
  const end = await found.end()
  // The bench adds the pages of a repeated note again, which a kind that stores notes before a page must not.
  expect(end).toMatchObject({ status: 'completed', failed: 0 })
  expect(end.completed).toBe(8)
  const names = await factsOf(next.jobs, job.id)
  expect(names.indexOf('page')).toBeGreaterThan(names.lastIndexOf('taken'))
})
