import fc from 'fast-check'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { listOpen, markOpen, markSettled } from './open-jobs.ts'
import type { OpenJob } from './open-job.ts'

const jobOf = (number: number): OpenJob => ({ id: `job ${number}`, team: 'acme', kind: 'count', createdAt: number })
const byAge = (jobs: readonly OpenJob[]): OpenJob[] => jobs.toSorted((one, other) => one.createdAt - other.createdAt)

test('whatever is marked and settled at the same time, exactly the open jobs are listed', async () => {
  const step = fc.record({ number: fc.nat(60), opens: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 30 }), { maxLength: 6 }), async (rounds) => {
      const store = memoryStore()
      const open = new Set<number>()
      for (const steps of rounds) {
        // One wish for each job in a round: which of two would come first is not settled.
        const wishes = new Map(steps.map(({ number, opens }) => [number, opens]))
        await Promise.all(
          [...wishes].map(([number, opens]) =>
            opens ? markOpen(store, jobOf(number)) : markSettled(store, jobOf(number).id),
          ),
        )
        for (const [number, opens] of wishes) if (opens) open.add(number)
        for (const [number, opens] of wishes) if (!opens) open.delete(number)
        expect(byAge(await listOpen(store))).toEqual([...open].toSorted((one, other) => one - other).map(jobOf))
      }
    }),
    { numRuns: 60 },
  )
})

test('a job that is marked twice is listed once, and settled at once', async () => {
  const store = memoryStore()
  await markOpen(store, jobOf(1))
  for (let number = 2; number < 2200; number += 1) await markOpen(store, jobOf(number))
  await markOpen(store, jobOf(1))
  expect(await listOpen(store)).toHaveLength(2199)
  await markSettled(store, jobOf(1).id)
  expect((await listOpen(store)).some(({ id }) => id === jobOf(1).id)).toBe(false)
})

test('what a newer version has marked is left to it', async () => {
  const store = memoryStore()
  await markOpen(store, jobOf(1))
  await store.set('list/jobs/open/job 2', { layout: 9, id: 'job 2' })
  expect(await listOpen(store)).toEqual([jobOf(1)])
  expect(await store.get('list/jobs/open/job 2')).toBeDefined()
})
