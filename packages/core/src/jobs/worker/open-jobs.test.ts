import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { memoryStore } from '../../stores/memory.ts'
import { listOpen, markOpen, markSettled, type OpenJob } from './open-jobs.ts'

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
  for (let number = 2; number < 200; number += 1) await markOpen(store, jobOf(number))
  await markOpen(store, jobOf(1))
  expect(await listOpen(store)).toHaveLength(199)
  await markSettled(store, jobOf(1).id)
  expect((await listOpen(store)).some(({ id }) => id === jobOf(1).id)).toBe(false)
})

test('each open job has a row of its own: marking one writes none of the others', async () => {
  const store = memoryStore()
  for (let number = 0; number < 8; number += 1) await markOpen(store, jobOf(number))
  const written: string[] = []
  const watched = {
    ...store,
    update: async (...given: Parameters<typeof store.update>) => {
      const before = await store.get(given[0])
      const after = await store.update(...given)
      if (JSON.stringify(before) !== JSON.stringify(after)) written.push(given[0])
      return after
    },
  }
  await markOpen(watched, jobOf(8))
  expect(written).toEqual([expect.stringMatching(/^jobs\/open\/\d+$/)])
})

test('jobs that an earlier version kept in one row are listed, and get rows of their own', async () => {
  const store = memoryStore()
  const old = { team: 'acme', kind: 'count' }
  await store.set('jobs/open', { 'job 1': { ...old, createdAt: 1 }, 'job 2': { ...old, createdAt: 2 } })
  await markOpen(store, jobOf(3))
  expect(byAge(await listOpen(store))).toEqual([jobOf(1), jobOf(2), jobOf(3)])
  expect(await store.get('jobs/open')).toBeUndefined()
  await markSettled(store, 'job 2')
  expect(byAge(await listOpen(store))).toEqual([jobOf(1), jobOf(3)])
})

/** How many rows every engine reads each time that it looks for jobs. */
const rowsOf = async (store: Store): Promise<number> => ((await store.get('jobs/open/size')) ?? 16) as number

test('there are at most eight rows for each open job, however many there are', async () => {
  const store = memoryStore()
  for (let number = 0; number < 2000; number += 1) {
    await markOpen(store, jobOf(number))
    expect(await rowsOf(store)).toBeLessThanOrEqual(Math.max(number * 8, 16))
  }
})

test('rows that jobs have left are given up, and the jobs that go on are listed all the while', async () => {
  const store = memoryStore()
  for (let number = 0; number < 600; number += 1) await markOpen(store, jobOf(number))
  for (let number = 4; number < 600; number += 1) await markSettled(store, jobOf(number).id)
  const rest = [0, 1, 2, 3].map(jobOf)
  while ((await rowsOf(store)) > 32) {
    const before = await rowsOf(store)
    // Several engines look at once, and a job is opened meanwhile.
    const looks = [listOpen(store), listOpen(store), markOpen(store, jobOf(4)), listOpen(store)] as const
    for (const look of await Promise.all(looks)) if (look) expect(byAge(look).slice(0, 4)).toEqual(rest)
    expect(byAge(await listOpen(store))).toEqual([...rest, jobOf(4)])
    expect(await rowsOf(store)).toBeLessThan(before)
  }
  for (const { id } of [...rest, jobOf(4)]) await markSettled(store, id)
  expect(await listOpen(store)).toEqual([])
})
