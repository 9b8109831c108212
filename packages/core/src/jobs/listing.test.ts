import { handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { bench } from './fixtures/suite.ts'
import { team } from './fixtures/bench.ts'
import type { Jobs } from './jobs.ts'
import type { JobQuery } from './listing.ts'

const hour = 3_600_000

async function walk(jobs: Jobs, query: JobQuery, between: () => Promise<unknown> = async () => undefined) {
  const ids: string[] = []
  let cursor: string | undefined
  for (let pages = 1; ; pages += 1) {
    const page = await jobs.list(team, { ...query, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.jobs.map(({ id }) => id))
    cursor = page.cursor
    if (cursor === undefined) return { ids, pages }
    await between()
  }
}

describe('the list of jobs', () => {
  test('has each with how it stands and what it is about, the newest first', async () => {
    const { jobs, open } = bench()
    const first = await open(3)
    await first.end()
    const second = await open(1, { about: 'https://me:secret@made.up/a' })
    await second.end()
    const { jobs: listed, cursor } = await jobs.list(team)
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(listed[1]).toMatchObject({ kind: 'count', status: 'completed', total: 3, completed: 3, creditsUsed: 3 })
    expect(listed[0]?.about).toBe('https://made.up/a')
    expect(listed[0]).not.toHaveProperty('request')
    expect(cursor).toBeUndefined()
  })

  test('has a job that runs here as it stands now', async () => {
    const { jobs, open } = bench({ page: () => new Promise(() => undefined) })
    const { id } = await open(4)
    expect((await jobs.list(team)).jobs).toMatchObject([{ id, status: 'scraping', total: 4, completed: 0 }])
  })

  test('is walked from page to page: each job once that was there when the walk began', async () => {
    const { jobs, open } = bench()
    const before: string[] = []
    for (let number = 0; number < 23; number += 1) before.push((await open(1)).id)
    const { ids, pages } = await walk(jobs, { limit: 5 }, () => open(1))
    expect(ids).toEqual(before.toSorted().reverse())
    expect(pages).toBe(5)
  })

  test('can be held to a kind that there is, and to a state', async () => {
    const { jobs, open } = bench({ page: ({ number }) => new Promise((done) => number === 0 && done({})) })
    const ended = await open(1)
    await ended.end()
    const running = await open(2)
    const cancelled = await open(2)
    await cancelled.cancel()
    const idsOf = async (query: JobQuery) => (await jobs.list(team, query)).jobs.map(({ id }) => id)
    expect(await idsOf({ status: 'scraping' })).toEqual([running.id])
    expect(await idsOf({ status: 'cancelled' })).toEqual([cancelled.id])
    expect(await idsOf({ status: 'completed' })).toEqual([ended.id])
    expect(await idsOf({ kind: 'count' })).toHaveLength(3)
    const refused = { code: 'invalid_request', message: 'kind is "crawl"; the only choice is count.' }
    await expect(idsOf({ kind: 'crawl' })).rejects.toMatchObject(refused)
  })

  test('is found in the hours before this one, and ends with the life of the jobs', async () => {
    const clock = handClock(Date.parse('2026-03-01T12:30:00Z'))
    const { jobs, open } = bench({ clock, store: memoryStore({ clock }), life: 24 * hour })
    const ids: string[] = []
    for (let count = 0; count < 30; count += 1) {
      ids.push((await open(1)).id)
      await clock.pass(hour)
    }
    expect((await walk(jobs, { limit: 7 })).ids).toEqual(ids.slice(7).reverse())
  })

  test('of a team is not in that of one whose name begins so', async () => {
    const { jobs, open } = bench()
    const { id } = await open(1, { team: 'a/b' })
    expect((await jobs.list('a')).jobs).toEqual([])
    expect((await jobs.list('a/b')).jobs).toMatchObject([{ id }])
  })

  test('of another team is another list', async () => {
    const { jobs, open } = bench()
    await open(1, { team: 'other' })
    expect(await jobs.list(team)).toEqual({ jobs: [] })
    expect((await jobs.list('other', { status: 'completed', kind: 'count' })).jobs.length).toBeLessThanOrEqual(1)
    expect((await jobs.list('other')).jobs).toHaveLength(1)
  })

  test('has one entry for a start that was repeated', async () => {
    const { jobs, open } = bench()
    await Promise.all([open(1, { idempotencyKey: 'one' }), open(1, { idempotencyKey: 'one' })])
    expect((await jobs.list(team)).jobs).toHaveLength(1)
  })

  test('looks at a bounded number of jobs for one page, and says where to go on', async () => {
    const clock = handClock(Date.parse('2026-03-01T12:00:00Z'))
    const store = memoryStore({ clock })
    const { jobs, open } = bench({ clock, store })
    const { id } = await open(1)
    for (let number = 0; number < 2_500; number += 1) {
      const gone = `${id.slice(0, 30)}${String(number).padStart(6, '0')}`
      await store.set(`list/jobs/of/${team}/${gone}`, { id: gone, kind: 'count' })
    }
    const first = await jobs.list(team, { status: 'failed' })
    expect(first.jobs).toEqual([])
    expect(first.cursor).toBeDefined()
    expect((await walk(jobs, {})).ids).toEqual([id])
  })

  test.each(['', 'x', '6f1c2f0e-4a8c-4c0e-9d0b-6f3f6f0f6b11'])('refuses the cursor "%s"', async (cursor) => {
    await expect(bench().jobs.list(team, { cursor })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
