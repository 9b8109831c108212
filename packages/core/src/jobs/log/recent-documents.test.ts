import { expect, test } from 'vitest'

import { ownBytes } from '@harvestman/ports/values'
import type { Entry } from './facts.ts'
import { recentDocuments } from './recent-documents.ts'

const textsOf = (documents: readonly Uint8Array[]) => documents.map((bytes) => Buffer.from(bytes).toString())

function page(...pieces: string[]): Entry {
  const bytes = pieces.join('').length
  const document = pieces.map((piece) => ownBytes(Buffer.from(piece)))
  return {
    fact: { is: 'page', at: 0, task: 0, id: 'id', url: 'https://example.com/', credits: 1, bytes },
    document,
  }
}

const noted: Entry = { fact: { is: 'noted', at: 0, note: null } }

test('a reader that follows receives each document once, in order and whole', () => {
  const recent = recentDocuments()
  expect(recent.take(0, 3)).toEqual([])
  recent.add(3, [page('{"n":', '3}'), noted, page('{"n":4}')])
  recent.add(5, [noted])
  recent.add(5, [page('{"n":5}')])
  expect(textsOf(recent.take(3, 6))).toEqual(['{"n":3}', '{"n":4}', '{"n":5}'])
  recent.add(6, [page('{"n":6}')])
  expect(textsOf(recent.take(6, 7))).toEqual(['{"n":6}'])
})

test('a document is a copy, because the writer frees its own', () => {
  const recent = recentDocuments()
  recent.take(0, 0)
  const entry = page('{"n":0}')
  recent.add(0, [entry])
  entry.document?.[0]?.fill(0)
  expect(textsOf(recent.take(0, 1))).toEqual(['{"n":0}'])
})

test('nothing is cached without a reader', () => {
  const recent = recentDocuments()
  recent.add(0, [page('{"n":0}')])
  expect(recent.take(0, 1)).toEqual([])
})

test.each([
  ['a reader falls too far behind', [page('x'.repeat(1_500_000)), page('x'.repeat(1_500_000))]],
  ['a document is stored elsewhere', [{ fact: page('{}').fact }]],
])('a reader is referred to the log if %s, until it has caught up', (_, entries) => {
  const recent = recentDocuments()
  recent.take(0, 0)
  for (const [index, entry] of entries.entries()) recent.add(index, [entry])
  recent.add(entries.length, [page('{"late":1}')])
  expect(recent.take(0, entries.length + 1)).toEqual([])
  recent.add(entries.length + 1, [page('{"late":2}')])
  expect(textsOf(recent.take(entries.length + 1, entries.length + 2))).toEqual(['{"late":2}'])
})
