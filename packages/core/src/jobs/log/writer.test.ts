import { flaky, handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { openLog } from '@harvestman/coordination'
import { ownBytes } from '@harvestman/ports/values'
import type { OwnedBytes } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { documentReader } from './documents.ts'
import type { Entry } from './facts.ts'
import { openWriter } from './writer.ts'

function page(document: readonly OwnedBytes[]): Entry {
  const bytes = document.reduce((sum, { length }) => sum + length, 0)
  return { fact: { is: 'page', at: 0, task: 0, id: 'id', url: 'https://example.com/', credits: 1, bytes }, document }
}

test('what was kept of a page is freed, and kept whole, also when the store refuses it at first', async () => {
  const clock = handClock()
  const store = flaky(memoryStore(), [{ point: 'update', nth: 1, kind: 'reject' }])
  const log = openLog(store, 'job', () => ({}))
  const troubles: unknown[] = []
  const troubled = (error: unknown): void => {
    troubles.push(error)
    expect(large.length).toBe(100_000)
    void clock.pass(1_000)
  }
  const writer = openWriter({ log, by: 'writer', place: 0, clock, stored: () => undefined, troubled })
  const large = ownBytes(new Uint8Array(100_000).fill(120))
  const pool = Buffer.from('{')
  const small = ownBytes(pool)
  await writer.add([page([small, large])])
  expect(troubles).toHaveLength(1)
  expect(large.length).toBe(0)
  // It shares a buffer with others.
  expect(pool.toString()).toBe('{')
  const [kept] = await documentReader(log).of((await log.read(0))!)
  expect(Buffer.from(kept!.bytes).toString()).toBe(`{${'x'.repeat(100_000)}`)
  await writer.close()
})
