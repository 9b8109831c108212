import { expect, test } from 'vitest'

import { readText } from './page-text.ts'

const runs = Array.from({ length: 9 }, (_, index) => ({ str: `run ${index}` }))

/** Returns a page whose text arrives in chunks of this size. */
function pageIn(size: number) {
  const chunks = Array.from({ length: Math.ceil(runs.length / size) }, (_, at) =>
    runs.slice(at * size, (at + 1) * size),
  )
  return { streamTextContent: () => ReadableStream.from(chunks.map((items) => ({ items }))) }
}

async function read(size: number, limits: { items: number; characters: number }) {
  const { items, isCut } = await readText(pageIn(size), limits)
  return [items.length, isCut]
}

test.each([1, 2, 4, 9])('a page is cut at the limit, in chunks of %i runs', async (size) => {
  expect(await read(size, { items: 5, characters: 1_000 })).toEqual([5, true])
  expect(await read(size, { items: 100, characters: 12 })).toEqual([3, true])
})

test.each([1, 4, 9])('a page with exactly as many runs as the limit is whole, in chunks of %i runs', async (size) => {
  expect(await read(size, { items: 9, characters: 1_000 })).toEqual([9, false])
})
