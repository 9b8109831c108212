import { expect, test } from 'vitest'

import { memoryBlobs } from './memory.ts'

const file = { type: 'image/png', team: 'one', ttl: 1_000 }

test('when there is no room, what was not asked for longest goes first', async () => {
  const blobs = memoryBlobs({ bytes: 10_000 })
  const [first, second] = [await blobs.put(sized(3_000)), await blobs.put(sized(3_000))]
  expect(await blobs.get(first.id)).toBeDefined()
  await blobs.put(sized(3_000))
  expect(await blobs.get(second.id)).toBeUndefined()
  expect(await blobs.get(first.id)).toBeDefined()
})

test('a file that fits nowhere is refused, and not lost in silence', async () => {
  const blobs = memoryBlobs({ bytes: 10_000 })
  await expect(blobs.put(sized(10_000))).rejects.toMatchObject({ code: 'store_failed', details: { bytes: 10_000 } })
})

function sized(length: number) {
  return { ...file, bytes: new Uint8Array(length) }
}
