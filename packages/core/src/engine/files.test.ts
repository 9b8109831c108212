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

test(
  'a page that is made again after a crash leaves one file, and the document has its address',
  { tags: ['long'] },
  async () => {
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
  },
)

test('documents of jobs and cached pages are kept with files that last, and read by another engine', async () => {
  const [store, files] = [sharedStore(), memoryBlobs()]
  const types: string[] = []
  const blobs: Blobs = { ...files, lasts: 'shared', put: (blob) => (types.push(blob.type), files.put(blob)) }
  const open = () => createEngine({ store, blobs, fetcher, keep: { filesFrom: 1 } })
  const urls = ['https://example.com/1', 'https://example.com/2']
  await using one = open()
  const job = await one.batch({ urls, formats: ['rawHtml'] })
  await job.end()
  expect(types.length).toBeGreaterThanOrEqual(3)
  await using other = open()
  const found = []
  for await (const document of (await other.jobs.find(job.id)).documents()) found.push(document.rawHtml)
  expect(found).toEqual([html, html])
  const again = await other.scrape({ url: 'https://example.com/1', formats: ['rawHtml'], maxAge: 60_000 })
  expect([again.rawHtml, again.metadata.cacheState]).toEqual([html, 'hit'])
})

test('results of scrapes are kept with files that last: for another engine, when a page is given again, and until their file is gone', async () => {
  const [store, files] = [sharedStore(), memoryBlobs()]
  const put: string[] = []
  const keys: string[] = []
  const blobs: Blobs = {
    ...files,
    lasts: 'shared',
    put: (blob) => (put.push(blob.id ?? ''), files.put(blob)),
    get: (id) => (keys.push(id), isGone ? Promise.resolve(undefined) : files.get(id)),
  }
  let isGone = false
  const open = () => createEngine({ store, blobs, fetcher, keep: { filesFrom: 1 } })
  await using one = open()
  await using other = open()
  const request = { url: 'https://example.com/', formats: ['rawHtml'], maxAge: 60_000 } as const
  for (const cacheState of ['miss', 'hit', 'hit'] as const) {
    const { metadata } = await one.scrape(request, { keep: true })
    expect(metadata.cacheState).toBe(cacheState)
    const before = put.length
    const found = await other.results.find(metadata.scrapeId)
    expect([found['rawHtml'], keys.at(-1)]).toEqual([html, put[before - 1]])
  }
  const { metadata } = await one.scrape(request, { keep: true })
  isGone = true
  await expect(other.results.find(metadata.scrapeId)).rejects.toMatchObject({ code: 'store_failed' })
})

test('what may not be retained is not put with the files', async () => {
  const put: string[] = []
  const files = memoryBlobs()
  const blobs: Blobs = { ...files, lasts: 'shared', put: (blob) => (put.push(blob.type), files.put(blob)) }
  await using engine = createEngine({ store: sharedStore(), blobs, fetcher, keep: { filesFrom: 1 } })
  const job = await engine.batch({ urls: ['https://example.com/'], zeroDataRetention: true })
  expect((await job.end()).completed).toBe(1)
  expect(put).toEqual([])
})

test('files that may go before their time take no documents, and an engine that is to keep them there says so', () => {
  const options = { store: sharedStore(), blobs: memoryBlobs(), keep: { filesFrom: 1 } }
  expect(() => createEngine(options)).toThrow(/`keep.filesFrom` needs a persistent file store/)
})
