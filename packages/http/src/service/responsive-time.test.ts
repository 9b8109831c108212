import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { withinResponsiveTime } from './responsive-time.ts'

const blockFor = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}

test('work that is late only because the process was blocked is in time', async () => {
  const isDone = withinResponsiveTime(turns(5), 120)
  blockFor(200)
  expect(await isDone).toBe(true)
})

test('work that does not end is too late', async () => {
  expect(await withinResponsiveTime(new Promise(() => undefined), 12)).toBe(false)
})

test('work that fails rejects', async () => {
  await expect(withinResponsiveTime(Promise.reject(new Error('full')), 1_000)).rejects.toThrow('full')
})
