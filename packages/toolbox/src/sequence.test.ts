import { expect, test } from 'vitest'

import { makeSequence } from './sequence.ts'

test('Work in a sequence runs one piece at a time, in the order of the calls, and each call gets its own result.', async () => {
  const sequence = makeSequence()
  const events: string[] = []
  const work = (name: string, turns: number) => async () => {
    events.push(`${name} starts`)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    events.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([sequence.run(work('a', 5)), sequence.run(work('b', 1))])).toEqual(['a', 'b'])
  expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
})

test('A piece of work that fails rejects its own call and no later one.', async () => {
  const sequence = makeSequence()
  const failing = sequence.run(() => {
    throw new Error('broken')
  })
  const next = sequence.run(() => 'next')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('A sequence is idle once all its work has ended, also when that failed.', async () => {
  const sequence = makeSequence()
  const { promise, reject } = Promise.withResolvers<never>()
  let isIdle = false
  const failing = sequence.run(() => promise)
  const idle = sequence.idle().then(() => (isIdle = true))
  await Promise.resolve()
  expect(isIdle).toBe(false)
  reject(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  await idle
})
