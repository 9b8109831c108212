import { memoryStore } from '@harvestman/core'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { ListedEntry } from '../activity/activity.ts'
import { openFeedback } from './feedback.ts'
import type { Feedback } from './schemas.ts'

const team = 'acme'

function open(found: Partial<ListedEntry> = {}) {
  const clock = handClock(Date.parse('2026-03-01T12:00:00Z'))
  const createdAt = new Date(clock.now()).toISOString()
  const find = async (_: string, id: string): Promise<ListedEntry> => ({ id, endpoint: 'search', createdAt, ...found })
  return { clock, box: openFeedback({ store: memoryStore({ clock }), clock, find }) }
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
