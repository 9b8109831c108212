import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import type { Job, JobRow } from './handle.ts'
import { documentOf, team, type MakePage } from './fixtures/bench.ts'
import { bench, numbers, sharedStore } from './fixtures/suite.ts'

/** Every page has a title, some are not found, and one of ten fails. */
const mixed: MakePage = async (task, visit) => {
  if (task.number % 10 === 3) throw new EngineError('tls_failed', `No certificate for ${task.number}.`)
  const document = documentOf(task, visit)
  const statusCode = task.number % 10 === 4 ? 404 : 200
  return { document: { ...document, metadata: { ...document.metadata, statusCode, title: `Page ${task.number}` } } }
}

async function readAll(job: Job, limit: number): Promise<JobRow[]> {
  const rows: JobRow[] = []
  let after: string | undefined
  for (;;) {
    const part = await job.rows({ after, limit })
    rows.push(...part.rows)
    after = part.cursor
    if (!part.hasMore) return rows
  }
}

test('a list of a job has a row for every page, whether it was visited or failed, and says what it was', async () => {
  const job = await bench({ page: mixed }).open(40)
  await job.end()
  const rows = await readAll(job, 1_000)
  expect(rows.map(({ url }) => url).toSorted()).toEqual(numbers(40))
  const rowOf = (number: number) => rows.find(({ url }) => url.endsWith(`/${number}`))
  expect(rowOf(0)).toMatchObject({ outcome: 'visited', status: 200, title: 'Page 0', credits: 1 })
  expect(rowOf(0)?.bytes).toBeGreaterThan(50)
  expect(rowOf(4)).toMatchObject({ outcome: 'visited', status: 404 })
  expect(rowOf(3)).toMatchObject({ outcome: 'failed', code: 'tls_failed', error: 'No certificate for 3.' })
  const { completed, failed } = await job.status()
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length
  expect([count('visited'), count('failed')]).toEqual([completed, failed])
})

test.each([1, 7, 39, 40, 41])('a list that is read in parts of %i is the same list', async (limit) => {
  const job = await bench({ page: mixed }).open(40)
  await job.end()
  expect(await readAll(job, limit)).toEqual(await readAll(job, 1_000))
})

test('a reader who has read all is given what came since, and no row twice', async () => {
  const own = bench({ page: mixed })
  const job = await own.open(5)
  await job.end()
  const first = await job.rows({ limit: 100 })
  expect(await job.rows({ limit: 100, after: first.cursor })).toMatchObject({ rows: [], hasMore: false })
  await own.jobs.sendMore(job.id, { team, kind: 'count' }, [5])
  await expect.poll(async () => (await job.status()).total).toBe(10)
  await job.end()
  const { rows } = await job.rows({ limit: 100, after: first.cursor })
  expect([...first.rows, ...rows].map(({ url }) => url).toSorted()).toEqual(numbers(10))
})

test('an engine where the job does not run gives the same rows', async () => {
  const store = sharedStore()
  const job = await bench({ store, page: mixed }).open(25)
  await job.end()
  const elsewhere = await bench({ store }).jobs.find(job.id, team)
  expect(await readAll(elsewhere, 10)).toEqual(await readAll(job, 1_000))
})

test('a cursor that is none of the list is refused', async () => {
  const job = await bench().open(1)
  await expect(job.rows({ after: 'nonsense', limit: 10 })).rejects.toThrow(/^cursor: /)
})

test('what was asked for is told whole, with what was added later', async () => {
  const own = bench()
  const job = await own.open(3)
  await own.jobs.sendMore(job.id, { team, kind: 'count' }, [4])
  // What was added counts at once, and is told when it is in the log.
  await expect.poll(() => job.request()).toEqual({ pages: 7 })
  expect((await job.status()).total).toBe(7)
})
