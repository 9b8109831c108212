import { expect, test } from 'vitest'

import { notHere, siteApiFormat } from './format.ts'

test('a scrape pays for the returned pages of the list after the first, and nothing for a refusal', () => {
  const options = { maxPages: 20, repeatPosts: false }
  const priceOf = (value?: unknown) => siteApiFormat.credits(options, { inputTokens: 0, outputTokens: 0 }, value)
  expect(priceOf({ items: [{}], pages: 3, refused: [] })).toBe(2)
  expect(priceOf({ items: [], pages: 0, refused: [{ url: '', reason: notHere }] })).toBe(0)
  expect(priceOf()).toBe(0)
  expect(siteApiFormat.creditsAtMost?.(options)).toBe(19)
})
