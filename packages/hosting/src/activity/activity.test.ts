import { memoryStore } from '@harvestman/core'
import { handClock } from '@harvestman/testing'
import { expect, test, vi } from 'vitest'

import { makeActivity, type Activity, type ActivityEntry } from './activity.ts'

const team = 'acme'

function open(clock = handClock(Date.parse('2026-03-01T12:00:00Z'))) {
  const store = memoryStore({ clock })
  const losses: unknown[] = []
  const activity = makeActivity({ store, clock, team: 'default', lost: (error) => losses.push(error) })
  return { activity, clock, store, losses }
}

async function walk(activity: Activity, limit: number, between: (page: number) => void = () => undefined) {
  const ids: string[] = []
  let cursor: string | undefined
  for (let page = 0; ; page += 1) {
    const { entries, cursor: next } = await activity.list({ limit, cursor }, { team })
    ids.push(...entries.map(({ id }) => id))
    if (next === undefined) return ids
    cursor = next
    between(page)
  }
}

test('a walk meets each entry once that was there when it began, while a thousand are written', async () => {
  const { activity, clock } = open()
  const before: string[] = []
  for (let number = 0; number < 500; number += 1) {
    const id = `before-${String(number).padStart(4, '0')}`
    before.push(id)
    activity.note({ team, id, endpoint: 'scrape', target: 'https://example.com/' })
    if (number % 7 === 0) await clock.pass(1_234)
  }
  let written = 0
  const ids = await walk(activity, 13, () => {
    for (let more = 0; more < 30; more += 1) {
      activity.note({ team, id: `during-${written}`, endpoint: 'scrape' })
      written += 1
    }
    void clock.pass(17)
  })
  expect(written).toBeGreaterThanOrEqual(1_000)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('before')).toSorted()).toEqual(before)
})

test('newest come first, and each team sees its own', async () => {
  const { activity, clock } = open()
  for (const id of ['a', 'b', 'c']) {
    activity.note({ team, id, endpoint: 'scrape' })
    await clock.pass(1)
  }
  activity.note({ team: 'other', id: 'd', endpoint: 'scrape' })
  expect((await activity.list({}, { team })).entries.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect((await activity.list({}, { team: 'other' })).entries.map(({ id }) => id)).toEqual(['d'])
})

test('what came in one millisecond is in the order of its arrival, the last first, over pages and among engines', async () => {
  const { activity, clock, store } = open()
  const other = makeActivity({ store, clock, team: 'default', lost: () => undefined })
  for (const id of ['c', 'a', 'd']) activity.note({ team, id, endpoint: 'scrape' })
  await activity.idle()
  for (const id of ['a', 'b']) other.note({ team, id, endpoint: 'map' })
  await other.idle()
  expect(await walk(activity, 2)).toEqual(['b', 'a', 'd', 'a', 'c'])
})

test('what is older than 24 hours is not listed, and what is younger is, minute by minute', async () => {
  const { activity, clock } = open()
  const hours = 30
  for (let hour = 0; hour < hours; hour += 1) {
    activity.note({ team, id: `${hour}`, endpoint: 'map' })
    await activity.idle()
    await clock.pass(3_600_000)
  }
  const { entries } = await activity.list({ limit: 100 }, { team })
  expect(entries.map(({ id }) => Number(id))).toEqual(Array.from({ length: 23 }, (_, back) => hours - 1 - back))
})

test('only one endpoint is listed when that is asked for, and pages are as long as that allows', async () => {
  const { activity, clock } = open()
  for (let number = 0; number < 40; number += 1) {
    activity.note({ team, id: `${number}`, endpoint: number % 4 === 0 ? 'crawl' : 'scrape' })
    await clock.pass(100_000)
  }
  const { entries, cursor } = await activity.list({ endpoint: 'crawl', limit: 6 }, { team })
  expect(entries.map(({ id }) => id)).toEqual(['36', '32', '28', '24', '20', '16'])
  const rest = await activity.list({ endpoint: 'crawl', limit: 6, cursor }, { team })
  expect(rest.entries.map(({ id }) => id)).toEqual(['12', '8', '4', '0'])
  expect(rest.cursor).toBeUndefined()
})

const cursors = ['yesterday 1', '2026-03-01T12:00:00.000Z a'].map((text) => Buffer.from(text).toString('base64url'))
test.each(['', 'x', ...cursors])('the cursor "%s" is refused', async (cursor) => {
  await expect(open().activity.list({ cursor }, { team })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a limit beyond the bounds is taken for the bound', async () => {
  const { activity } = open()
  for (let number = 0; number < 150; number += 1) activity.note({ team, id: `${number}`, endpoint: 'scrape' })
  expect((await activity.list({ limit: 1_000 }, { team })).entries).toHaveLength(100)
  expect((await activity.list({ limit: 0 }, { team })).entries).toHaveLength(1)
})

test('what was refused says why, and a note that cannot be kept is told of', async () => {
  const { activity, store, losses } = open()
  const refused: Omit<ActivityEntry, 'createdAt'> = { id: 'a', endpoint: 'scrape', refused: 'insufficient_credits' }
  activity.note({ team, ...refused })
  expect((await activity.list({}, { team })).entries).toMatchObject([refused])
  await store.close()
  activity.note({ team, ...refused })
  await activity.idle()
  expect(losses).toHaveLength(1)
})

test('notes gather the longer the more there are, and are there at once when they are asked for', async () => {
  const { activity, clock, store } = open()
  const add = vi.spyOn(store, 'add')
  const note = (count: number): void => {
    for (let number = 0; number < count; number += 1) activity.note({ team, id: `${number}`, endpoint: 'scrape' })
  }
  note(100)
  await vi.waitFor(() => expect(add).toHaveBeenCalledTimes(1))
  for (let turn = 0; turn < 20; turn += 1) {
    note(1)
    await clock.pass(4)
  }
  expect(add).toHaveBeenCalledTimes(1)
  await clock.pass(40)
  await vi.waitFor(() => expect(add).toHaveBeenCalledTimes(2))
  note(1)
  await activity.idle()
  expect(add.mock.calls.map(([, items]) => items.length)).toEqual([100, 20, 1])
})

test('of what is refused in a minute a thousand are noted, beside all that is not', async () => {
  const { activity, clock } = open()
  const refuse = (count: number): void => {
    for (let number = 0; number < count; number += 1) {
      activity.note({ team, id: `refused-${number}`, endpoint: 'scrape', refused: 'rate_limited' })
    }
  }
  refuse(1_500)
  for (let number = 0; number < 20; number += 1) activity.note({ team, id: `done-${number}`, endpoint: 'scrape' })
  refuse(500)
  const inFirstMinute = await walk(activity, 100)
  expect(inFirstMinute).toHaveLength(1_020)
  await clock.pass(60_000)
  refuse(7)
  expect(await walk(activity, 100)).toHaveLength(1_027)
})

test('a request is found since a time, and only the lists of that time are read', async () => {
  const { activity, clock, store } = open()
  activity.note({ team, id: 'a', endpoint: 'scrape' })
  await activity.idle()
  await clock.pass(3 * 3_600_000)
  const read = vi.spyOn(store, store.getMany ? 'getMany' : 'get')
  expect(await activity.find('a', { team, since: clock.now() - 3_600_000 })).toBeUndefined()
  const few = read.mock.calls.length
  expect(await activity.find('a', { team, since: clock.now() - 3 * 3_600_000 })).toMatchObject({ id: 'a' })
  expect(few).toBeLessThan(read.mock.calls.length - few)
})
