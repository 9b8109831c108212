import { expect, test } from 'vitest'

import { bufferOf, free, freeAlone, isOwned, loneView, ownBytes, ownWhole, share } from './owned-bytes.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const made = (): Uint8Array => new TextEncoder().encode('<p>x</p>')

test('owned bytes are read as any others, and are empty once they are freed', () => {
  const bytes = ownBytes(made())
  expect(text(bytes)).toBe('<p>x</p>')
  free(bytes)
  expect(bytes.byteLength).toBe(0)
})

test('a view of a larger buffer is copied, so that the rest of it stays', () => {
  const whole = made()
  const own = ownBytes(whole.subarray(0, 3))
  expect(ownWhole(whole.subarray(0, 3))).toBeUndefined()
  free(own)
  expect(text(whole)).toBe('<p>x</p>')
})

test.each([
  ['a Buffer of the pool', Buffer.from('pool')],
  ['numbers', new Uint32Array([1, 2, 3, 4]).subarray(1, 3)],
])('%s is copied as what it is', (_, view) => {
  const own = ownBytes(view)
  expect(own).toEqual(view)
  expect(own).not.toBe(view)
  expect(own.constructor).toBe(view.constructor)
})

test('bytes that were shared have no owner any more', () => {
  const bytes = ownBytes(made())
  expect(isOwned(bytes)).toBe(true)
  share(bytes)
  expect(isOwned(bytes)).toBe(false)
  expect(isOwned(made())).toBe(false)
})

test('a part of a buffer is freed when it is said to be alone there, and is left to the others when not', () => {
  const shared = made()
  freeAlone(shared.subarray(3))
  expect(text(shared)).toBe('<p>x</p>')
  const lone = loneView(made().subarray(3))
  freeAlone(lone)
  expect(lone.buffer.byteLength).toBe(0)
})

test('the misuse of bytes without an owner does not compile', () => {
  const plain = made()
  // @ts-expect-error plain bytes may have another holder
  const freeing = (): void => free(plain)
  // @ts-expect-error nor can they be moved
  const moving = (): ArrayBuffer => bufferOf(plain)
  expect([freeing, moving]).toHaveLength(2)
})
