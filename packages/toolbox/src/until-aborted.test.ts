import { expect, test } from 'vitest'

import { untilAborted } from './until-aborted.ts'

test('work that ends first settles as it did', async () => {
  const { signal } = new AbortController()
  await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1)
  await expect(untilAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
})

test('an abort ends the wait with its reason, before or during the work', async () => {
  const controller = new AbortController()
  const waiting = untilAborted(new Promise(() => undefined), controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toThrow('enough')
})

test('a failure after the abort is handled', async () => {
  const work = Promise.withResolvers<never>()
  const waiting = untilAborted(work.promise, AbortSignal.abort(new Error('enough')))
  await expect(waiting).rejects.toThrow('enough')
  work.reject(new Error('late'))
  await expect(work.promise).rejects.toThrow('late')
})
