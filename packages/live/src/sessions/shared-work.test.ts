import { expect, test } from 'vitest'

import { shareByKey, shareWork } from './shared-work.ts'

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

test('work that all callers cancelled ends before the next one with its key starts', async () => {
  const share = shareByKey<string>()
  const { promise, reject } = Promise.withResolvers<string>()
  const [first, third] = [new AbortController(), new AbortController()]
  const steps: string[] = []
  const cancelled = share('a', first.signal, () => promise)
  first.abort(new Error('first'))
  await expect(cancelled).rejects.toThrow('first')
  const start = async (): Promise<string> => {
    steps.push('started')
    return 'browser'
  }
  const next = [share('a', never, start), share('a', never, start)]
  const impatient = share('a', third.signal, start)
  third.abort(new Error('third'))
  await expect(impatient).rejects.toThrow('third')
  expect(await share('b', never, async () => 'other')).toBe('other')
  steps.push('ended')
  reject(new Error('cancelled'))
  expect(await Promise.all(next)).toEqual(['browser', 'browser'])
  expect(steps).toEqual(['ended', 'started'])
})

const never = new AbortController().signal
