import { memoryStore } from '@harvestman/core'
import type { EngineEvent } from '@harvestman/ports'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeActivity } from './activity.ts'

const team = 'acme'

function open(shared?: ReturnType<typeof memoryStore>, clock = handClock(Date.parse('2026-03-01T12:00:30Z'))) {
  const store = shared ?? memoryStore({ clock })
  const losses: unknown[] = []
  const activity = makeActivity({ store, clock, team: 'default', lost: (error) => losses.push(error) })
  const tell = (event: Partial<EngineEvent> & { readonly id: string }): void =>
    activity.onEvent({ team, at: clock.now(), ...event } as EngineEvent)
  const list = async () => (await activity.list({}, { team })).entries
  return { activity, clock, store, losses, tell, list }
}

test('a request is listed with what it took and cost once it has ended, and without while it goes on', async () => {
  const { activity, tell, list, clock } = open()
  for (const id of ['one', 'two', 'three']) activity.note({ team, id, endpoint: 'scrape' })
  await clock.pass(2_000)
  tell({ kind: 'scrape.completed', id: 'one', url: 'https://a.test/', credits: 5, ms: 1_900 })
  tell({ kind: 'scrape.failed', id: 'two', url: 'https://a.test/', code: 'timeout', message: '', ms: 2_000 })
  expect((await list()).map(({ id, end }) => [id, end])).toEqual([
    ['three', undefined],
    ['two', { ms: 2_000, credits: 0, failed: 'timeout' }],
    ['one', { ms: 1_900, credits: 5 }],
  ])
})

test('whatever kind of work ends, its request is listed with the cost', async () => {
  const { activity, tell, list } = open()
  for (const id of ['map', 'lost', 'opened']) activity.note({ team, id, endpoint: id })
  tell({ kind: 'map.completed', id: 'map', links: 3, credits: 1, ms: 20 })
  tell({ kind: 'map.failed', id: 'lost', code: 'map_timeout', message: '', ms: 30 })
  tell({ kind: 'loader.tried', id: 'opened', url: 'https://a.test/', loader: 'http', outcome: 'page', ms: 5 })
  tell({ kind: 'session.ended', id: 'opened', credits: 4, ms: 60_000 })
  expect((await list()).map(({ id, end }) => [id, end])).toEqual([
    ['opened', { ms: 60_000, credits: 4 }],
    ['lost', { ms: 30, credits: 0, failed: 'map_timeout' }],
    ['map', { ms: 20, credits: 1 }],
  ])
})

test('of requests for one live browser, the one that opened it has its cost', async () => {
  const { activity, tell, list, clock } = open()
  activity.note({ team, id: 'browser', endpoint: 'interact' })
  await clock.pass(5_000)
  activity.note({ team, id: 'browser', endpoint: 'interact' })
  tell({ kind: 'session.ended', id: 'browser', credits: 2, ms: 6_000 })
  expect((await list()).map(({ end }) => end)).toEqual([undefined, { ms: 6_000, credits: 2 }])
  const rows = (await activity.costs({ team })).flatMap((hour) => hour.rows)
  expect(rows).toEqual([{ endpoint: 'interact', requests: 1, failed: 0, credits: 2, ms: 6_000 }])
})

test('pages of jobs are no requests: what they cost is in the cost of their job', async () => {
  const { activity, tell, list } = open()
  activity.note({ team, id: 'crawl', endpoint: 'crawl', key: 'k1' })
  for (let page = 0; page < 3; page += 1)
    tell({ kind: 'scrape.completed', id: `page-${page}`, url: 'https://a.test/', credits: 1, ms: 10 })
  tell({ kind: 'job.ended', id: 'crawl', status: 'completed', credits: 3, ms: 100 })
  expect((await list()).map(({ end }) => end)).toEqual([{ ms: 100, credits: 3 }])
  const rows = (await activity.costs({ team })).flatMap((hour) => hour.rows)
  expect(rows).toEqual([{ endpoint: 'crawl', key: 'k1', requests: 1, failed: 0, credits: 3, ms: 100 }])
})

test('a job that completed with failures is noted with how many of its pages failed', async () => {
  const { activity, tell, list } = open()
  activity.note({ team, id: 'crawl', endpoint: 'crawl' })
  tell({ kind: 'job.ended', id: 'crawl', status: 'completed', failedPages: 2, credits: 3, ms: 100 })
  expect((await list()).map(({ end }) => end)).toEqual([{ ms: 100, credits: 3, failedPages: 2 }])
})

test('the end of a job is found with its request, whichever engine noted that, and when', async () => {
  const clock = handClock(Date.parse('2026-03-01T12:00:59Z'))
  const first = open(undefined, clock)
  const second = open(first.store, clock)
  first.activity.note({ team, id: 'long', endpoint: 'crawl' })
  await first.activity.idle()
  await clock.pass(3 * 3_600_000)
  second.tell({ kind: 'job.ended', id: 'long', status: 'cancelled', credits: 9, ms: 3 * 3_600_000 })
  await second.activity.idle()
  expect((await first.list())[0]).toMatchObject({ id: 'long', end: { credits: 9, failed: 'cancelled' } })
  second.tell({ kind: 'job.ended', id: 'short', status: 'completed', credits: 1, ms: 5 })
  await second.activity.idle()
  second.activity.note({ team, id: 'short', endpoint: 'batch_scrape' })
  expect((await second.list())[0]).toMatchObject({ id: 'short', end: { credits: 1 } })
})

test('costs are summed up by the hour of the end, by endpoint and key, for a day, and only for the team', async () => {
  const { activity, tell, clock } = open()
  const run = (id: string, endpoint: string, credits: number, key?: string): void => {
    activity.note({ team, id, endpoint, ...(key !== undefined && { key }) })
    tell({ kind: 'scrape.completed', id, url: 'https://a.test/', credits, ms: 100 })
  }
  run('a', 'scrape', 1, 'k1')
  run('b', 'scrape', 2, 'k2')
  await clock.pass(3_600_000)
  run('c', 'scrape', 4, 'k1')
  run('d', 'search', 8)
  const hours = await activity.costs({ team })
  expect(hours).toHaveLength(24)
  expect(hours.slice(-2).map(({ rows }) => rows.map(({ endpoint, key, credits }) => [endpoint, key, credits]))).toEqual(
    [
      [
        ['scrape', 'k1', 1],
        ['scrape', 'k2', 2],
      ],
      [
        ['scrape', 'k1', 4],
        ['search', undefined, 8],
      ],
    ],
  )
  expect((await activity.costs({ team: 'other' })).flatMap(({ rows }) => rows)).toEqual([])
  await clock.pass(25 * 3_600_000)
  expect((await activity.costs({ team })).flatMap(({ rows }) => rows)).toEqual([])
})

test('an hour has at most 500 rows: keys beyond are counted without their names', async () => {
  const { activity, tell } = open()
  for (let number = 0; number < 600; number += 1) {
    const id = `r${number}`
    activity.note({ team, id, endpoint: 'scrape', key: `k${number}` })
    tell({ kind: 'scrape.completed', id, url: 'https://a.test/', credits: 1, ms: 1 })
  }
  const rows = (await activity.costs({ team })).at(-1)?.rows ?? []
  expect(rows.length).toBeLessThanOrEqual(501)
  expect(rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(600)
})
