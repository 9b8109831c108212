import { memoryStore } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { FaultError, flaky, slow } from './faults.ts'
import { handClock, settle } from './hand-clock.ts'

describe('flaky', () => {
  test('fails at the call that was ordered, and at no other', async () => {
    const store = flaky(memoryStore(), [{ point: 'set', nth: 2, kind: 'reject' }])
    await store.set('a', 1)
    await expect(store.set('a', 2)).rejects.toThrow(FaultError)
    expect(await store.get('a')).toBe(1)
    await store.set('a', 3)
    expect(await store.get('a')).toBe(3)
  })

  test('fails at every so many calls', async () => {
    const store = flaky(memoryStore(), [{ point: 'get', nth: { every: 3 }, kind: 'reject' }])
    const outcomes = []
    for (let call = 0; call < 7; call += 1) outcomes.push((await Promise.allSettled([store.get('a')]))[0]?.status)
    expect(outcomes.map((status) => status === 'rejected')).toEqual([false, false, true, false, false, true, false])
  })

  test('can do the work and lose the answer', async () => {
    const store = flaky(memoryStore(), [{ point: 'set', nth: 1, kind: 'reject after' }])
    await expect(store.set('a', 1)).rejects.toThrow('as ordered')
    expect(await store.get('a')).toBe(1)
  })

  test('can do the work twice', async () => {
    const store = flaky(memoryStore(), [{ point: 'update', nth: 1, kind: 'twice' }])
    expect(await store.update('count', (old) => ((old as number | undefined) ?? 0) + 1)).toBe(2)
  })

  test('can hang until the signal of the call is aborted', async () => {
    const clock = flaky(handClock(), [{ point: 'sleep', nth: 1, kind: 'hang' }])
    const controller = new AbortController()
    const reason = new Error('no more')
    const slept = clock.sleep(1, controller.signal).catch((error: unknown) => error)
    controller.abort(reason)
    expect(await slept).toBe(reason)
  })

  test('leaves what is no method as it is', () => {
    expect(flaky(memoryStore(), []).reach).toBe('process')
  })

  test('refuses a plan that could not be carried out', () => {
    expect(() => flaky(memoryStore(), [{ point: 'sett', nth: 1, kind: 'reject' }])).toThrow('no method "sett"')
  })
})

test('slow waits before the call that was ordered, by the clock', async () => {
  const clock = handClock()
  const store = slow(memoryStore({ clock }), [{ point: 'set', nth: 1, ms: 500 }], clock)
  let isSet = false
  const set = store.set('a', 1).finally(() => {
    isSet = true
  })
  await store.set('b', 2)
  await clock.pass(499)
  expect(isSet).toBe(false)
  expect(await store.get('a')).toBeUndefined()
  await clock.pass(1)
  await set
  await settle()
  expect(await store.get('a')).toBe(1)
})
