// @module-tag browser
// @module-tag long
// Kinds of hidden and folded text in every format of both loaders, and in snapshots of live browsers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { expectedOf, hasText, isExpectedInSnapshot, kinds, loaders, openTable } from './visible-text/table.ts'

let table: Awaited<ReturnType<typeof openTable>>
beforeAll(async () => {
  table = await openTable()
})
afterAll(() => table.close())

const hidden = kinds.filter(({ isSeen }) => !isSeen)
const readable = kinds.filter(({ isSeen }) => isSeen)

describe.each(loaders)('with the loader %s', (loader) => {
  test.each(hidden)('hidden text is only in the format hiddenText: $name', async (kind) => {
    expect(await table.read(kind, loader)).toEqual(expectedOf(kind))
  })

  test.each(readable)('text that visitors see or can open is in the other formats: $name', async (kind) => {
    expect(await table.read(kind, loader)).toEqual(expectedOf(kind))
  })
})

test.each(kinds)('a snapshot of a live browser has only visible text: $name', async (kind) => {
  const text = await table.snapshot(kind)
  expect(text).toContain('The keeper counted the ships')
  const expected = isExpectedInSnapshot(kind)
  if (expected !== undefined) expect(hasText(text)).toBe(expected)
})
