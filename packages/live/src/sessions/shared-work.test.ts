import { expect, test } from 'vitest'

import { shareWork } from './shared-work.ts'

/** Work that ends when it is told, or when it is cancelled. */
function started() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const work = shareWork((signal) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  return { work, resolve }
}

test('a caller that cancels leaves the work to the others', async () => {
  const { work, resolve } = started()
  const [first, second] = [new AbortController(), new AbortController()]
  const waits = [work.join(first.signal), work.join(second.signal)] as const
  first.abort(new Error('first'))
  await expect(waits[0]).rejects.toThrow('first')
  expect(work.isCancelled).toBe(false)
  resolve('browser')
  expect(await waits[1]).toBe('browser')
})

test('the work is cancelled when all callers have cancelled', async () => {
  const { work } = started()
  const [first, second] = [new AbortController(), new AbortController()]
  const waits = Promise.allSettled([work.join(first.signal), work.join(second.signal)])
  first.abort(new Error('first'))
  second.abort(new Error('second'))
  await waits
  expect(work.isCancelled).toBe(true)
  await work.settled
})
