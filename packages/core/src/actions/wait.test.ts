import { expect, test } from 'vitest'

import type { Clock, Tab } from '@harvestman/ports'
import { wait } from './wait.ts'

/** A tab on which nothing ever matches, and a clock on which all that is slept is over at once. */
function bench() {
  const slept: number[] = []
  const clock: Clock = {
    now: () => 0,
    sleep: async (ms) => void slept.push(ms),
  }
  const waitFor = (_: string, signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  return { slept, clock, tab: { waitFor } as unknown as Tab }
}

const common = { read: async (): Promise<undefined> => undefined, timeLeft: () => 30_000 }
const { signal: never } = new AbortController()

test('an element is waited for until the request ends, and not as long where the page is visited again', async () => {
  const { slept, clock, tab } = bench()
  const again = wait.run(tab, { selector: 'p' }, { ...common, clock, signal: never, mayRetry: true })
  await expect(again).rejects.toMatchObject({ code: 'action_failed' })
  expect(slept).toEqual([10_000])
  const over = new AbortController()
  const last = wait.run(tab, { selector: 'p' }, { ...common, clock, signal: over.signal, mayRetry: false })
  over.abort(new Error('the end of the request'))
  await expect(last).rejects.toThrow('the end of the request')
  expect(slept.length).toBe(1)
})

test('a wait that is ended by its request says so, also where the page would be visited again', async () => {
  const { clock, tab } = bench()
  const patient: Clock = { ...clock, sleep: () => new Promise(() => undefined) }
  const over = new AbortController()
  const waiting = wait.run(tab, { selector: 'p' }, { ...common, clock: patient, signal: over.signal, mayRetry: true })
  over.abort(new Error('the end of the request'))
  await expect(waiting).rejects.toThrow('the end of the request')
})
