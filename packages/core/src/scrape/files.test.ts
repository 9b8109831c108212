import { documentTally } from '@harvestman/threads'
import { describe, expect, test } from 'vitest'

import { memoryBlobs } from '@harvestman/embedded'
import { dataUrl } from '../lib/file-type.ts'
import type { Blobs, EngineEvent, NewBlob } from '@harvestman/ports'
import type { Draft } from './document.ts'
import { findFile, withFiles } from './files.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1])
const pdf = new Uint8Array([0x25, 0x50, 0x44, 0x46, 2])
const metadata = {
  sourceURL: 'https://example.com/',
  url: 'https://example.com/',
  statusCode: 200,
  scrapeId: 'id',
  proxyUsed: 'basic',
  creditsUsed: 1,
} as const
const draft: Draft = {
  markdown: 'text',
  screenshot: png,
  actions: { screenshots: [png, png], pdfs: [pdf], javascriptReturns: [{ type: 'string', value: 'x' }] },
  metadata,
}

interface House {
  readonly blobs?: Blobs
  readonly isConfigured?: boolean
  readonly mayKeep?: boolean
  readonly filesAt?: string
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

async function filed(
  { blobs = memoryBlobs(), isConfigured = false, mayKeep = true, filesAt, maxBytes = 1e6, signal }: House,
  from: Draft = draft,
) {
  const events: EngineEvent[] = []
  const put: NewBlob[] = []
  const watched: Blobs = { ...blobs, put: (blob) => (put.push(blob), blobs.put(blob)) }
  const kit = {
    files: { blobs: watched, isConfigured, ttl: 60_000 },
    observer: (event: EngineEvent) => void events.push(event),
    clock: { now: () => 0 },
  }
  const caller = { team: 'one', id: 'task', task: 'task', signal: undefined, keep: false, filesAt }
  const document = await withFiles(from, {
    plan: { mayKeep } as Plan,
    caller,
    kit: kit as Kit,
    tally: documentTally({ bytes: maxBytes, values: 100 }),
    time: { signal: new AbortController().signal, timeLeft: () => 1, check: () => signal?.throwIfAborted() },
  })
  return { document, put, events }
}

describe('the files of a document', () => {
  test('are in it as data when they are not served and no place for them was given', async () => {
    const { document, put } = await filed({})
    expect(document).toEqual({
      markdown: 'text',
      screenshot: dataUrl(png),
      actions: { ...draft.actions, screenshots: [dataUrl(png), dataUrl(png)], pdfs: [dataUrl(pdf)] },
      metadata,
    })
    expect(put).toEqual([])
  })

  test('are kept when they are served, and their addresses are where that is', async () => {
    const blobs = memoryBlobs()
    const { document, put } = await filed({ blobs, filesAt: 'https://api.example/files/' })
    const id = /^https:\/\/api\.example\/files\/([\da-f-]{36})$/.exec(String(document['screenshot']))?.[1] ?? ''
    expect(await blobs.get(id)).toEqual({ bytes: png, type: 'image/png', team: 'one' })
    expect(put.map(({ type, team, ttl }) => `${type} ${team} ${ttl}`).toSorted()).toEqual(
      ['application/pdf', 'image/png', 'image/png', 'image/png'].map((type) => `${type} one 60000`),
    )
    const { screenshots = [], pdfs = [] } = document.actions ?? {}
    expect(new Set([document['screenshot'], ...screenshots, ...pdfs]).size).toBe(4)
  })

  test('have the address of the place that was given, or one for its id alone', async () => {
    const named: Blobs = { ...memoryBlobs(), put: async () => ({ id: 'x', url: 'file:///tmp/x.png' }) }
    expect((await filed({ blobs: named, isConfigured: true })).document['screenshot']).toBe('file:///tmp/x.png')
    const nameless = memoryBlobs()
    const { document } = await filed({ blobs: nameless, isConfigured: true })
    expect(document['screenshot']).toMatch(/^urn:uuid:/)
    const found = await findFile({ blobs: nameless, isConfigured: true, ttl: 1 }, String(document['screenshot']), 'one')
    expect(found.bytes).toEqual(png)
  })

  test('are never kept for a request that may leave nothing behind', async () => {
    const { document, put } = await filed({ isConfigured: true, mayKeep: false, filesAt: 'https://api.example/files/' })
    expect(document['screenshot']).toBe(dataUrl(png))
    expect(put).toEqual([])
  })

  test('are in it as data when they could not be kept, and an operator is told', async () => {
    const full: Blobs = { ...memoryBlobs(), put: () => Promise.reject(new Error('disk full')) }
    const { document, events } = await filed({ blobs: full, isConfigured: true })
    expect(document['screenshot']).toBe(dataUrl(png))
    expect(events[0]).toMatchObject({ kind: 'warning', message: expect.stringContaining('disk full') })
  })
})

describe('the pictures of pages and figures', () => {
  const item = {
    type: 'figure',
    content: '',
    label: null,
    bbox: null,
    markdownSpan: null,
    readingOrder: 0,
    source: null,
  }
  const confidence = { layout: null, ocr: null }
  const figures = ['b1', 'b2'].map((id) => ({ ...item, id, confidence, image: png }))
  const blocks = [1, 2].map((pageNumber) => ({
    ...{ pageNumber, width: null, height: null, status: 'ok' as const },
    items: figures.map((figure) => ({ ...figure, id: `p${pageNumber}.${figure.id}` })),
  }))
  const pageImages = [1, 2, 3].map((pageNumber) => ({ pageNumber, url: png, rotation: 90 }))
  const withPictures: Draft = { markdown: 'text', metadata, warning: 'Other.', pageImages, blocks }
  const imagesOf = ({ blocks: pages }: { readonly blocks?: Draft['blocks'] }): unknown[] =>
    pages?.flatMap(({ items }) => items.map(({ image }) => image)) ?? []

  test('are stored under their places, at most four at a time', async () => {
    let [running, most] = [0, 0]
    const slow: Blobs = {
      ...memoryBlobs(),
      put: async ({ bytes }) => {
        most = Math.max(most, (running += 1))
        await new Promise(setImmediate)
        running -= 1
        return { id: `${bytes.length}`, url: 'https://files.example/x' }
      },
    }
    const { document, put } = await filed({ blobs: slow, isConfigured: true }, withPictures)
    expect(document.pageImages).toEqual(pageImages.map((image) => ({ ...image, url: 'https://files.example/x' })))
    expect(imagesOf(document)).toEqual(Array.from({ length: 4 }, () => 'https://files.example/x'))
    expect([put.length, most, document.warning]).toEqual([7, 4, 'Other.'])
  })

  test('are left out with a warning if they do not fit into the document as data', async () => {
    const full: Blobs = { ...memoryBlobs(), put: () => Promise.reject(new Error('disk full')) }
    for (const house of [{ mayKeep: false }, { blobs: full, isConfigured: true }]) {
      // A picture takes eight characters.
      const { document } = await filed({ ...house, maxBytes: 40 }, withPictures)
      expect(document.pageImages?.map(({ url }) => url)).toEqual([dataUrl(png), dataUrl(png), dataUrl(png)])
      expect(imagesOf(document)).toEqual([dataUrl(png), dataUrl(png), undefined, undefined])
      expect(document.warning).toMatch(/^Other\. Pictures .* were left out: 2\. Request fewer pages/)
    }
  })

  test('are not stored after the time is up', async () => {
    const late = new AbortController()
    let tries = 0
    const slow: Blobs = {
      ...memoryBlobs(),
      put: async () => {
        tries += 1
        late.abort(new Error('late'))
        return { id: 'x' }
      },
    }
    await expect(filed({ blobs: slow, isConfigured: true, signal: late.signal }, withPictures)).rejects.toThrow('late')
    expect(tries).toBe(1)
  })
})

test('a document without files stays the very same', async () => {
  const plain: Draft = { markdown: 'text', actions: { scrapes: [] }, metadata }
  expect((await filed({ isConfigured: true }, plain)).document).toBe(plain)
})

test('a file of another team is refused to a team, and an unknown one is not there', async () => {
  const blobs = memoryBlobs()
  const files = { blobs, isConfigured: true, ttl: 1 }
  const { id } = await blobs.put({ bytes: png, type: 'image/png', team: 'one', ttl: 60_000 })
  await expect(findFile(files, id, 'two')).rejects.toMatchObject({ code: 'forbidden' })
  await expect(findFile(files, 'nothing', undefined)).rejects.toMatchObject({ code: 'not_found' })
  expect(await findFile(files, id, undefined)).toMatchObject({ team: 'one' })
})
