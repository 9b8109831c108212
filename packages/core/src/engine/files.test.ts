import { expect, test } from 'vitest'
import { z } from 'zod'

import { memoryBlobs } from '@harvestman/embedded'
import { createEngine } from './engine.ts'
import { storeThrough, sharedStore, away } from '../jobs/fixtures/suite.ts'
import { defineFormat, definePlugin } from '../plugin/define.ts'
import type { Blobs, MakeFetcher, Store } from '@harvestman/ports'

let made = 0
/** A file that is another one in each try, as a screenshot is. */
const picture = defineFormat({
  type: 'picture',
  value: z.instanceof(Uint8Array),
  needs: {},
  derive: () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, (made += 1)]),
})
const html = '<title>Page</title><main><p>Some text that is long enough to stay in the document.</p></main>'
const fetcher: MakeFetcher = () => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: new TextEncoder().encode(html),
  }),
  close: async () => undefined,
})

function engineOn(store: Store, blobs: Blobs) {
  const plugins = [definePlugin({ name: 'pictures', formats: [picture] })]
  return createEngine({ store, blobs, fetcher, plugins, limits: { leaseTime: 100 } })
}

test('a page that is made again after a crash leaves one file, and the document has its address', async () => {
  const store = sharedStore()
  const put: (string | undefined)[] = []
  let isGone = false
  const blobs = memoryBlobs()
  /** The engine dies when the first file is kept: nothing that it writes later arrives. */
  const dying = engineOn(
    storeThrough(store, (work) => (isGone ? away() : work())),
    { ...blobs, put: (blob) => (put.push(blob.id), (isGone = true), blobs.put(blob)), close: async () => undefined },
  )
  const { id } = await dying.batch({ urls: ['https://example.com/'], formats: ['picture'] })
  await expect.poll(() => put).toHaveLength(1)
  await dying.close()
  await using next = engineOn(store, { ...blobs, put: (blob) => (put.push(blob.id), blobs.put(blob)) })
  const found = []
  for await (const document of (await next.jobs.find(id)).documents()) found.push(document)
  expect(put).toHaveLength(2)
  expect(put[0]).toMatch(/^[\da-f-]{36}$/)
  expect(put[1]).toBe(put[0])
  expect(found.map((document) => document['picture'])).toEqual([`urn:uuid:${put[0]}`])
  expect((await blobs.get(put[0] ?? ''))?.bytes.at(-1)).toBe(made)
  // What documents show of a page does not lead to its files.
  expect(put[0]).not.toContain(found[0]?.metadata.scrapeId)
})
