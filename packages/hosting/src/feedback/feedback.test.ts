import { memoryStore } from '@harvestman/core'
import type { Json, Store } from '@harvestman/ports'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { ListedEntry } from '../activity/activity.ts'
import { openFeedback } from './feedback.ts'
import type { Feedback } from './schemas.ts'

const team = 'acme'

/** Opens feedback on requests that began at noon, or as `found` says. */
function open(found: Partial<ListedEntry> = {}, wrap = (store: Store): Store => store) {
  const clock = handClock(Date.parse('2026-03-01T12:00:00Z'))
  const createdAt = new Date(clock.now()).toISOString()
  const find = async (_: string, id: string): Promise<ListedEntry> => ({ id, endpoint: 'search', createdAt, ...found })
  return { clock, box: openFeedback({ store: wrap(memoryStore({ clock })), clock, find }) }
}

const onSearch = (jobId: string): Feedback => ({ endpoint: 'search', jobId, rating: 'bad', querySuggestions: 'legs' })

test('Feedback is accepted for two minutes after the request', async () => {
  const { box, clock } = open()
  await clock.pass(120_000)
  await expect(box.submit(team, onSearch('a'))).resolves.toMatchObject({ isRepeated: false })
  await clock.pass(1)
  const details = { feedbackErrorCode: 'FEEDBACK_WINDOW_EXPIRED' }
  await expect(box.submit(team, onSearch('b'))).rejects.toMatchObject({ code: 'conflict', details })
})

test('A failed search, and a refused one, get no feedback', async () => {
  const failed = open({ end: { ms: 1, credits: 0, failed: 'search_failed' } })
  const details = { feedbackErrorCode: 'SEARCH_FAILED' }
  await expect(failed.box.submit(team, onSearch('a'))).rejects.toMatchObject({ code: 'conflict', details })
  const refused = open({ refused: 'rate_limited' })
  await expect(refused.box.submit(team, onSearch('a'))).rejects.toMatchObject({ code: 'not_found' })
})

test('Feedback is listed for 30 days, newest first, across days', async () => {
  const { box, clock } = open()
  await box.submit(team, onSearch('a'))
  await clock.pass(1_000)
  await box.submit(team, onSearch('b'))
  const ids = async (limit = 10) => (await box.list(team, limit)).map(({ jobId }) => jobId)
  expect(await ids()).toEqual(['b', 'a'])
  expect(await ids(1)).toEqual(['b'])
  await clock.pass(29 * 86_400_000)
  expect(await ids()).toEqual(['b', 'a'])
  await clock.pass(86_400_000)
  expect(await ids()).toEqual([])
})

test('Only one of several attempts at once is stored', async () => {
  const { box } = open()
  const given = await Promise.all([1, 2, 3].map(() => box.submit(team, onSearch('a'))))
  expect(given.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
  expect(new Set(given.map(({ id }) => id)).size).toBe(1)
  expect(await box.list(team, 10)).toHaveLength(1)
})

test('The two minutes count from the end of a long request', async () => {
  const { box, clock } = open({ end: { ms: 300_000, credits: 1 } })
  await clock.pass(420_000)
  await expect(box.submit(team, onSearch('a'))).resolves.toMatchObject({ isRepeated: false })
  await clock.pass(1)
  const details = { feedbackErrorCode: 'FEEDBACK_WINDOW_EXPIRED' }
  await expect(box.submit(team, onSearch('b'))).rejects.toMatchObject({ code: 'conflict', details })
})

test('A request is sought in the time in which it can have begun', async () => {
  const clock = handClock(Date.parse('2026-03-01T12:00:00Z'))
  const sought: number[] = []
  const find = async (_: string, __: string, since: number) => void sought.push(clock.now() - since)
  const box = openFeedback({ store: memoryStore({ clock }), clock, find })
  await expect(box.submit(team, onSearch('a'))).rejects.toMatchObject({ code: 'not_found' })
  expect(sought).toEqual([3_600_000 + 120_000])
})

test('An entry of more than 16 KB is refused', async () => {
  const { box } = open()
  const valuableSources = Array.from({ length: 17 }, () => ({ url: 'https://a.test/', reason: 'ä'.repeat(500) }))
  const details = { feedbackErrorCode: 'INVALID_BODY' }
  const large = { ...onSearch('a'), valuableSources }
  await expect(box.submit(team, large)).rejects.toMatchObject({ code: 'invalid_request', details })
  await box.submit(team, { ...large, valuableSources: valuableSources.slice(2) })
})

test('A team can give feedback on 200 results of a day, and another team as well', async () => {
  const { box } = open()
  const ids = Array.from({ length: 200 }, (_, number) => `${number}`)
  for (const id of ids) await box.submit(team, onSearch(id))
  const details = { feedbackErrorCode: 'FEEDBACK_LIMIT_REACHED' }
  await expect(box.submit(team, onSearch('more'))).rejects.toMatchObject({ code: 'conflict', details })
  await expect(box.submit(team, onSearch('0'))).resolves.toMatchObject({ isRepeated: true })
  await expect(box.submit('other', onSearch('0'))).resolves.toMatchObject({ isRepeated: false })
  expect(await box.list(team, 1_000)).toHaveLength(200)
})

test('Feedback is stored by a retry if a write failed', async () => {
  let failures = 1
  const failing = (store: Store): Store => {
    const check = (key: string): void => {
      if (key.startsWith('feedback/') && failures-- > 0) throw new Error('The store failed.')
    }
    return {
      ...store,
      add: async (key, items, options) => {
        check(key)
        await store.update(key, (old) => [...((old ?? []) as readonly Json[]), ...items], options)
      },
      update: async (key, ...rest) => {
        check(key)
        return store.update(key, ...rest)
      },
    }
  }
  const { box } = open({}, failing)
  await expect(box.submit(team, onSearch('a'))).rejects.toThrow('The store failed.')
  await expect(box.submit(team, onSearch('a'))).resolves.toMatchObject({ isRepeated: false })
  expect(await box.list(team, 10)).toHaveLength(1)
})

test('A result has one feedback, also when midnight is between two attempts', async () => {
  const { box, clock } = open({ createdAt: '2026-03-01T23:59:00.000Z' })
  await clock.pass(12 * 3_600_000 - 30_000)
  const { id } = await box.submit(team, onSearch('a'))
  await clock.pass(60_000)
  expect(await box.submit(team, onSearch('a'))).toEqual({ id, isRepeated: true })
  expect(await box.list(team, 10)).toHaveLength(1)
})

test('No more days are read than a list needs', async () => {
  const read: string[] = []
  const counting = (store: Store): Store => ({
    ...store,
    getMany: async (keys) => {
      read.push(...keys)
      return Promise.all(keys.map((key) => store.get(key)))
    },
    get: async (key) => {
      read.push(key)
      return store.get(key)
    },
  })
  const { box } = open({}, counting)
  for (const id of ['a', 'b']) await box.submit(team, onSearch(id))
  read.length = 0
  expect(await box.list(team, 2)).toHaveLength(2)
  expect(read).toHaveLength(1)
})
