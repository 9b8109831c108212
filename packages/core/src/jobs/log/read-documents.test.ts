import { expect, test } from 'vitest'

import { openLog } from '@harvestman/coordination'
import { memoryStore } from '@harvestman/embedded'
import { ownBytes } from '@harvestman/ports/values'
import type { Store } from '@harvestman/ports'
import { documentIndex } from './document-index.ts'
import { joinDocuments, nextDocumentStart, toSegment, type Entry, type KeptDocument } from './facts.ts'
import { findDocument, readSlice } from './read-documents.ts'

const bytesOf = (text: string) => ownBytes(Buffer.from(text))
const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

function page(task: number, text: string, kept?: KeptDocument): Entry {
  const fact = { is: 'page', at: 0, task, id: `id ${task}`, url: 'https://example.com/', credits: 1 } as const
  if (kept) return { fact: { ...fact, bytes: text.length, kept } }
  return { fact: { ...fact, bytes: text.length }, document: [bytesOf(text)] }
}

/** A job of four pages, of which the second and the third are kept beside its log. */
async function keepMixed(store: Store) {
  const log = openLog(store, 'job', () => ({}))
  const [second, third] = ['{"n":"the second"}', `{"n":"${'third '.repeat(2_000)}"}`]
  const body = joinDocuments([[bytesOf(second)], [bytesOf(third)]])
  await log.beside('lent/7').append(0, { head: null, body })
  const at = { log: 'lent/7', place: 0 }
  const entries = [
    page(0, '{"n":0}'),
    page(1, second, { ...at, start: 0 }),
    page(2, third, { ...at, start: nextDocumentStart(0, second.length) }),
    page(3, '{"n":3}'),
  ]
  await log.append(0, toSegment('writer', entries))
  const index = documentIndex(store, 'job', { lasts: [], tail: [entries.length] })
  return { log, index, texts: ['{"n":0}', second, third, '{"n":3}'] }
}

test('documents that are kept beside the log of a job stand among its others, in their order', async () => {
  const { log, index, texts } = await keepMixed(memoryStore())
  const all = await readSlice(log, index, { skip: 0, limit: 10, maxBytes: 1e6 })
  expect(all.documents.map(textOf)).toEqual(texts)
  const some = await readSlice(log, index, { skip: 1, limit: 2, maxBytes: 1e6 })
  expect(some.documents.map(textOf)).toEqual(texts.slice(1, 3))
  // The bound on bytes counts them, wherever they are kept.
  const few = await readSlice(log, index, { skip: 1, limit: 3, maxBytes: 1_000 })
  expect(few.documents).toHaveLength(1)
  for (const { free } of [all, some, few]) free()
})

test('a document that is kept beside the log is found by the id of its page', async () => {
  const { log, texts } = await keepMixed(memoryStore())
  expect(textOf(await findDocument(log, 'id 2'))).toBe(texts[2])
  expect(textOf(await findDocument(log, 'id 3'))).toBe(texts[3])
})

test('a document that was kept beside the log and is gone is told as damage of the store', async () => {
  const store = memoryStore()
  const { log } = await keepMixed(store)
  await store.delete('job/lent/7/log/0')
  await expect(findDocument(log, 'id 1')).rejects.toMatchObject({ details: { reason: 'damaged' } })
  expect(textOf(await findDocument(log, 'id 0'))).toBe('{"n":0}')
})

test('a reader of documents requests no segment that does not exist yet', async () => {
  const { log, index, texts } = await keepMixed(memoryStore())
  const requested: number[] = []
  const counting = {
    ...log,
    readMany: (places: readonly number[]) => {
      requested.push(...places)
      return log.readMany(places)
    },
  }
  const all = await readSlice(counting, index, { skip: 0, limit: 10, maxBytes: 1e6 })
  expect(all.documents).toHaveLength(texts.length)
  expect(requested).toEqual([0])
  all.free()
})

test('a reader of many segments lets the event loop turn in between', async () => {
  const log = openLog(memoryStore(), 'job', () => ({}))
  const count = 9
  for (let place = 0; place < count; place += 1) await log.append(place, toSegment('writer', [page(place, '{}')]))
  const ends = Array.from({ length: count }, (_, place) => place + 1)
  const index = documentIndex(memoryStore(), 'job', { lasts: [], tail: ends })
  let turns = 0
  const immediate = setImmediate(() => (turns += 1))
  const { documents, free } = await readSlice(log, index, { skip: 0, limit: 100, maxBytes: 1e6 })
  clearImmediate(immediate)
  expect(documents).toHaveLength(count)
  expect(turns).toBe(1)
  free()
})

test('segments beside the log are expanded one in each turn of the event loop', async () => {
  const log = openLog(memoryStore(), 'job', () => ({}))
  const count = 40
  const text = (number: number): string => `{"n":"${`document ${number} `.repeat(200)}"}`
  for (let place = 0; place < count; place += 1) {
    await log.beside('lent/7').append(place, { head: null, body: [bytesOf(text(place))] })
  }
  const entries = Array.from({ length: count }, (_, place) =>
    page(place, text(place), { log: 'lent/7', place, start: 0 }),
  )
  await log.append(0, toSegment('writer', entries))
  const index = documentIndex(memoryStore(), 'job', { lasts: [], tail: [count] })
  let [turns, isDone] = [0, false]
  const next = (): void => {
    turns += 1
    if (!isDone) setImmediate(next)
  }
  setImmediate(next)
  const { documents, free } = await readSlice(log, index, { skip: 0, limit: count, maxBytes: 1e6 })
  isDone = true
  expect(documents.map(textOf)).toEqual(entries.map((_, place) => text(place)))
  expect(turns).toBeGreaterThanOrEqual(count - 1)
  free()
})
