import { randomBytes } from 'node:crypto'

import { bodiesInFiles, bodiesInStore } from '@harvestman/coordination'
import { memoryBlobs, memoryStore } from '@harvestman/embedded'
import { systemClock } from '@harvestman/ports'
import { packParcel, unpackParcel } from '@harvestman/toolbox/parcel'
import { expect, test } from 'vitest'

import { pagesInMemory, pagesInStore } from './page-store.ts'
import type { PageHead } from './visit.ts'

const page: PageHead = {
  url: 'https://example.com/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  captured: {},
  actions: {},
  proxyUsed: 'basic',
  warnings: [],
}
const text = Buffer.from('<p>A page and a page.</p>'.repeat(2_000))
const options = { ttl: 60_000, team: 'one' }

function setUp() {
  const [store, blobs] = [memoryStore(), memoryBlobs()]
  const pages = pagesInStore(store, () => store, bodiesInStore)
  const bodies = bodiesInFiles({ blobs, from: 10_000, clock: systemClock, refused: () => undefined })
  return { store, pages, filed: pagesInStore(store, () => store, bodies), blobs }
}

test('a page is kept compressed and comes back as it was', async () => {
  const { store, pages } = setUp()
  await pages.set('page/a', { page, body: text, at: 5_000 }, options)
  expect(((await store.get('page/a')) as Uint8Array).byteLength).toBeLessThan(1_000)
  const found = await pages.get('page/a')
  expect(found).toMatchObject({ page, at: 5_000 })
  expect(Buffer.compare(found!.body, text)).toBe(0)
})

test('what cannot be compressed is kept as it is', async () => {
  const { pages } = setUp()
  const body = randomBytes(20_000)
  await pages.set('page/a', { page, body, at: 5_000 }, options)
  expect(Buffer.compare((await pages.get('page/a'))!.body, body)).toBe(0)
})

test('a large body is in a file; a page whose file is gone, or whose bytes are damaged, is as if it had not been kept', async () => {
  const { store, pages, filed } = setUp()
  const body = randomBytes(20_000)
  await filed.set('page/a', { page, body, at: 5_000 }, options)
  expect(((await store.get('page/a')) as Uint8Array).byteLength).toBeLessThan(500)
  expect(Buffer.compare((await filed.get('page/a'))!.body, body)).toBe(0)
  expect(await pages.get('page/a')).toBeUndefined()
  await pages.set('page/b', { page, body: text, at: 5_000 }, options)
  const { head } = unpackParcel((await store.get('page/b')) as Uint8Array)
  await store.set('page/b', packParcel(head, [randomBytes(100)]))
  expect(await pages.get('page/b')).toBeUndefined()
})

test('a page in memory takes its compressed size, and comes back as it was', async () => {
  const pages = pagesInMemory(20_000, systemClock)
  const body = randomBytes(10_000)
  const large = Buffer.from('<p>A page and a page.</p>'.repeat(20_000))
  await pages.set('page/random', { page, body, at: 5_000 }, options)
  await pages.set('page/text', { page, body: text, at: 6_000 }, options)
  await pages.set('page/large', { page, body: large, at: 7_000 }, options)
  for (const [key, kept, at] of [
    ['random', body, 5_000],
    ['text', text, 6_000],
    ['large', large, 7_000],
  ] as const) {
    const found = await pages.get(`page/${key}`)
    expect(found).toMatchObject({ page, at })
    expect(Buffer.compare(found!.body, kept)).toBe(0)
  }
})

test('a page that is stored while an older version is decompressed is the one that is found afterwards', async () => {
  const pages = pagesInMemory(10_000_000, systemClock)
  const old = Buffer.from('<p>The old page.</p>'.repeat(20_000))
  await pages.set('page/a', { page, body: old, at: 1 }, options)
  const [first, second] = [pages.get('page/a'), pages.get('page/a')]
  await pages.set('page/a', { page, body: text, at: 2 }, options)
  expect((await first)!.body).toBe((await second)!.body)
  expect((await pages.get('page/a'))!.at).toBe(2)
})

test('of two pages stored at once under a key, the later one is found, although the earlier takes longer to compress', async () => {
  const pages = pagesInMemory(10_000_000, systemClock)
  const large = Buffer.from('<p>The old page.</p>'.repeat(100_000))
  const first = pages.set('page/a', { page, body: large, at: 1 }, options)
  await pages.set('page/a', { page, body: text, at: 2 }, options)
  await first
  expect((await pages.get('page/a'))!.at).toBe(2)
})
