import fc from 'fast-check'
import { expect, test } from 'vitest'

import { memoryStore } from '../../stores/memory.ts'
import { growingIndex, keptIndex } from './document-index.ts'

const forever = () => ({})

test('every document is found where it was written, by the writer and by those who have only the record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 900, size: 'max' }), async (counts) => {
      const store = memoryStore()
      const growing = growingIndex(store, 'job', forever)
      const truth = counts.flatMap((count, place) => {
        growing.add(count)
        return Array.from({ length: count }, () => place)
      })
      const kept = keptIndex(store, 'job', await growing.keep())
      for (const contents of [growing, kept]) {
        expect(contents.size).toBe(truth.length)
        expect(await contents.find(truth.length)).toBeUndefined()
        for (const [document, place] of truth.entries()) {
          expect(await contents.find(document)).toEqual({ place, first: truth.indexOf(place) })
        }
      }
    }),
    { numRuns: 20 },
  )
})

test('what the record holds of it stays small, however long the log is', async () => {
  const growing = growingIndex(memoryStore(), 'job', forever)
  for (let place = 0; place < 100_000; place += 1) growing.add(1)
  expect(JSON.stringify(await growing.keep()).length).toBeLessThan(5_000)
})
