import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { bench } from '../fixtures/suite.ts'
import { documentOf, team } from '../fixtures/bench.ts'
import { EngineError } from '@harvestman/ports'
import { growingNumbers } from '@harvestman/coordination'
import { failureBlocks, keptFailures } from './failure-places.ts'

test('every place is given again, however many there are, and the checkpoint stays small', async () => {
  const store = memoryStore()
  const places: number[] = []
  const kept = growingNumbers()
  for (let place = 0; place < 3_000; place += 1) {
    places.push(place * 2)
    kept.add(place * 2)
    if (place % 97 > 0) continue
    await kept.write({ store, name: failureBlocks('job'), keep: () => ({}) })
    expect(kept.tail.length).toBeLessThan(256)
    const read: number[] = []
    for await (const some of keptFailures(store, 'job', { blocks: kept.lasts.length, tail: kept.tail }))
      read.push(...some)
    expect(read).toEqual(places)
  }
})

test('a job that has failed on very many pages lists them all where it does not run', { tags: ['long'] }, async () => {
  const store = memoryStore()
  // One after the other, so that they stand in different segments of the log.
  const page = async (task: Parameters<typeof documentOf>[0], visit: Parameters<typeof documentOf>[1]) => {
    if (task.number % 10 === 0) return { document: documentOf(task, visit) }
    throw new EngineError('tls_failed', `Page ${task.number} has an old certificate.`)
  }
  const one = bench({ store, page, concurrency: 1 })
  const job = await one.open(300)
  expect(await job.end()).toMatchObject({ completed: 30, failed: 270 })
  await one.close()
  expect(await store.get(`job/${job.id}/failures/0`)).toBeDefined()
  const { errors } = await (await bench({ store }).jobs.find(job.id, team)).errors()
  expect(errors.map(({ error }) => Number(/\d+/.exec(error)?.[0])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 300 }, (_, number) => number).filter((number) => number % 10 > 0),
  )
})
