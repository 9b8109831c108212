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

/** A job of two pages, each in a segment, in which `freed` counts the freed segments. */
async function twoSegments() {
  const store = memoryStore()
  const kept = openLog(store, 'job', () => ({}))
  for (const task of [0, 1]) await kept.append(task, toSegment('writer', [page(task)]))
  const count = { freed: 0 }
  const counting = (segment: Segment | undefined): Segment | undefined =>
    segment && { ...segment, head: segment.head, body: () => segment.body(), free: () => (count.freed += 1) }
  const log = { ...kept, read: async (place: number) => counting(await kept.read(place)) }
  const changed = async (): Promise<void> => undefined
  const opening = { id: 'job', kind: 'crawl', createdAt: 0, expiresAt: 1 }
  const now = { storage: { log }, opening, places: 2, tally: { status: 'completed' }, changed }
  const parts = { view: async () => now, closed: new AbortController().signal }
  // Cast: only these parts are used.
  return { count, job: makeHandle({ id: 'job', kind: 'crawl' }, parts as unknown as HandleParts) }
}

test('segments are freed when their events are read, and when a reader stops', async () => {
  const { count, job } = await twoSegments()
  const read: string[] = []
  for await (const { type } of job.events()) read.push(type)
  expect(read).toEqual(['page', 'page'])
  expect(count.freed).toBe(2)
  for await (const _ of job.events()) break
  expect(count.freed).toBe(3)
})

test('a reader of events lets others have a turn of the event loop after each segment', async () => {
  const { job } = await twoSegments()
  let turns = 0
  const timer = setInterval(() => undefined, 1)
  const next = (): void => void (turns += 1)
  const events = job.events()[Symbol.asyncIterator]()
  await events.next()
  setImmediate(next)
  await events.next()
  clearInterval(timer)
  expect(turns).toBe(1)
})

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
