import fc from 'fast-check'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { growingIndex, indexWriter, keptIndex } from './document-index.ts'

const forever = () => ({})

test('every document is found where it was written, by the writer and by readers that have only the checkpoint', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 900, size: 'max' }), async (counts) => {
      const store = memoryStore()
      const growing = growingIndex()
      const truth = counts.flatMap((count, place) => {
        growing.add(count)
        return Array.from({ length: count }, () => place)
      })
      const kept = keptIndex(store, 'job', await indexWriter(growing, store, 'job', forever)())
      for (const index of [growing, kept]) {
        expect(index.size).toBe(truth.length)
        expect(await index.find(truth.length)).toBeUndefined()
        for (const [document, place] of truth.entries()) {
          expect(await index.find(document)).toEqual({ place, first: truth.indexOf(place) })
        }
      }
    }),
    { numRuns: 20 },
  )
})

test('what the checkpoint holds of it stays small, however long the log is', async () => {
  const growing = growingIndex()
  for (let place = 0; place < 100_000; place += 1) growing.add(1)
  expect(JSON.stringify(await indexWriter(growing, memoryStore(), 'job', forever)()).length).toBeLessThan(5_000)
})
