import fc from 'fast-check'
import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { growingNumbers } from '@harvestman/coordination'
import { documentIndex, indexBlocks } from './document-index.ts'

const place = (store = memoryStore()) => ({ store, name: indexBlocks('job'), keep: () => ({}) })

test(
  'every document is found where it was written: in what is not yet kept, in what is, and by readers elsewhere',
  { tags: ['long'] },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 900, size: 'max' }), async (counts) => {
        const store = memoryStore()
        const ends = growingNumbers()
        const truth = counts.flatMap((count, at) => {
          ends.add((ends.last ?? 0) + count)
          return Array.from({ length: count }, () => at)
        })
        const isRight = async (index = documentIndex(store, 'job', ends)): Promise<void> => {
          expect(index.size).toBe(truth.length)
          expect(index.segments).toBe(counts.length)
          expect(await index.find(truth.length)).toBeUndefined()
          for (const [document, at] of truth.entries()) {
            expect(await index.find(document)).toEqual({ place: at, first: truth.indexOf(at) })
          }
        }
        await isRight()
        await ends.write(place(store))
        await isRight()
        await isRight(documentIndex(store, 'job', growingNumbers(ends.copy())))
      }),
      { numRuns: 10 },
    )
  },
)

test('what the checkpoint holds of it stays small, however long the log is', async () => {
  const ends = growingNumbers()
  for (let at = 0; at < 100_000; at += 1) ends.add(at)
  await ends.write(place())
  expect(JSON.stringify(ends.copy()).length).toBeLessThan(5_000)
})
