import { openLog, type Segment } from '@harvestman/coordination'
import { memoryStore } from '@harvestman/embedded'
import { ownBytes } from '@harvestman/ports/values'
import { expect, test } from 'vitest'

import { documentIndex } from './log/document-index.ts'
import { toSegment, type Entry } from './log/facts.ts'
import { makeHandle, type HandleParts } from './make-handle.ts'

function page(task: number): Entry {
  const text = JSON.stringify({ metadata: { scrapeId: `id ${task}`, sourceURL: 'https://example.com/' } })
  const fact = { is: 'page', at: 0, task, id: `id ${task}`, url: 'https://example.com/', credits: 1 } as const
  return { fact: { ...fact, bytes: text.length }, document: [ownBytes(Buffer.from(text))] }
}

test('a reader that stops after the first document frees the documents that it has read ahead', async () => {
  const store = memoryStore()
  const kept = openLog(store, 'job', () => ({}))
  await kept.append(0, toSegment('writer', [page(0), page(1)]))
  let freed = 0
  const counting = (segment: Segment | undefined): Segment | undefined =>
    segment && { ...segment, head: segment.head, body: () => segment.body(), free: () => (freed += 1) }
  const log = { ...kept, readMany: async (places: readonly number[]) => (await kept.readMany(places)).map(counting) }
  const index = documentIndex(store, 'job', { lasts: [], tail: [2] })
  const now = { storage: { log }, index, tally: { status: 'completed' }, changed: async () => undefined }
  const parts = { view: async () => now, closed: new AbortController().signal }
  // Cast: only these parts are used.
  const job = makeHandle({ id: 'job', kind: 'crawl' }, parts as unknown as HandleParts)
  for await (const { metadata } of job.documents()) {
    expect(metadata.scrapeId).toBe('id 0')
    break
  }
  expect(freed).toBe(1)
})
