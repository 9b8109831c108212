import { expect, test } from 'vitest'

import type { CheckedPage, CheckRecord } from '../records/check.ts'
import { notifiedPages } from './notification.ts'

const page = (place: number, meaningful: boolean): CheckedPage => ({
  ...{ id: `page-${place}`, targetId: 'target', url: `https://shop.test/${place}`, status: 'changed' },
  ...{ previousScrapeId: null, currentScrapeId: null, statusCode: 200, error: null, metadata: null, diff: null },
  judgment: { meaningful, confidence: 'high', reason: 'So it is.', meaningfulChanges: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** The news of a check with these pages, in segments of ten. */
async function news(pages: readonly CheckedPage[]) {
  const counts = { same: 0, changed: 10, new: 0, removed: 0, error: 0 }
  const segments = Array.from({ length: pages.length / 10 }, (_, at) => ({ key: String(at), counts }))
  const read = async (key: string) => pages.slice(Number(key) * 10, Number(key) * 10 + 10)
  // Cast: only these are read.
  const check = { isFirst: false, segments } as unknown as CheckRecord
  return (await notifiedPages(check, { checks: { pages: read } } as never)).map(({ id }) => id)
}

test('a notification has the meaningful changes that come after 50 others', async () => {
  const pages = Array.from({ length: 100 }, (_, place) => page(place, place === 3 || place > 57))
  expect(await news(pages)).toEqual(['page-3', ...pages.slice(58).map(({ id }) => id)])
})

test('a notification has at most 50 pages', async () => {
  expect(await news(Array.from({ length: 100 }, (_, place) => page(place, true)))).toHaveLength(50)
})
