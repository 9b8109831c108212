import { expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { documentOf, openBench, team, type MakePage } from './fixtures/bench.ts'
import { bench, addressesOf } from './fixtures/suite.ts'
import { pageId } from './log/page-ids.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a task has one key, in every try and after every restart, and no two tasks have the same', async () => {
  const store = memoryStore()
  const keys = new Map<number, Set<string>>()
  let visits = 0
  const page: MakePage = async (task, attempt) => {
    keys.set(task.number, (keys.get(task.number) ?? new Set()).add(attempt.id))
    visits += 1
    // Every third try fails and is made again.
    if (visits % 3 === 0 && !attempt.isLast) throw new EngineError('timeout', 'The host was slow.')
    return { document: documentOf(task, attempt) }
  }
  let [id, restarts] = ['', 0]
  for (;;) {
    const one = openBench({ store, page, concurrency: 4, leaseTime: 20 })
    const job = id === '' ? await one.open(30) : await one.jobs.find(id, team)
    id = job.id
    const over = await Promise.race([job.end(), new Promise<void>((go) => setTimeout(go, 15))]).catch(() => undefined)
    await one.close()
    if (over) break
    restarts += 1
  }
  expect(restarts).toBeGreaterThan(0)
  expect(visits).toBeGreaterThan(30)
  const all = [...keys.values()].map((of) => [...of])
  expect(all.every((of) => of.length === 1 && uuid.test(of[0] ?? ''))).toBe(true)
  expect(new Set(all.flat()).size).toBe(30)
  // Under the same key the page is found.
  const last = bench({ store })
  const job = await last.jobs.find(id, team)
  expect(await addressesOf(job)).toHaveLength(30)
  for (const [number, of] of keys) {
    const [key = ''] = of
    expect((await last.jobs.findPage(key, team)).markdown).toBe(`Page ${number}`)
  }
})

test('the keys of a job say nothing about those of another, or about its salt', () => {
  const id = '019a0000-0000-7000-8000-0123456789ab'
  const keys = ['one', 'two'].flatMap((salt) => [0, 1].map((task) => pageId({ id, salt }, task)))
  expect(new Set(keys).size).toBe(4)
  for (const key of keys) expect(key).toMatch(uuid)
  // All of one family, by which the job is found.
  for (const key of keys) expect(key.slice(0, 13)).toBe('01234567-89ab')
})
