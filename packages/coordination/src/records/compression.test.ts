import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { decompressFrame, withCompressed } from './compression.ts'

const text = Buffer.from('<p>A page and a page.</p>'.repeat(2_000))

test('chunks are compressed as one frame, which expands to all of them', async () => {
  const copy = await withCompressed([text, text], async ([frame], length) => ({
    frame: Uint8Array.from(frame!),
    length: length!,
  }))
  expect(copy.frame.byteLength).toBeLessThan(text.byteLength / 10)
  expect(Buffer.compare(await decompressFrame(copy), Buffer.concat([text, text]))).toBe(0)
})

test.each([
  ['of a page', 20_000],
  ['that is compressed on a helper thread', 100_000],
])('the frame %s is freed after it was used, and the chunks stay', async (_, size) => {
  const chunk = Buffer.from(randomBytes(size).toString('hex'))
  const frame = await withCompressed([chunk], async ([only]) => only!)
  expect(frame.byteLength).toBe(0)
  expect(chunk.byteLength).toBeGreaterThan(0)
})

test.each([
  ['that barely shrink', randomBytes(20_000)],
  ['of less than 4 KiB', text.subarray(0, 4_000)],
])('chunks %s are passed as they are, and are not freed', async (_, chunk) => {
  const used = await withCompressed([chunk], async (chunks, length) => ({ chunks, length }))
  expect(used).toEqual({ chunks: [chunk], length: undefined })
  expect(chunk.byteLength).toBeGreaterThan(1_000)
})

test.each([
  ['here', 1_000],
  ['on a helper thread', 10_000],
])('a damaged frame that is expanded %s rejects', async (_, repeats) => {
  const body = Buffer.from('<p>A page and a page.</p>'.repeat(repeats))
  const copy = await withCompressed([body], async ([frame], length) => ({
    frame: Uint8Array.from(frame!),
    length: length!,
  }))
  await expect(decompressFrame({ ...copy, length: copy.length - 1 })).rejects.toMatchObject({ code: 'store_failed' })
  await expect(decompressFrame({ ...copy, frame: copy.frame.fill(0, 4) })).rejects.toMatchObject({
    code: 'store_failed',
  })
})
