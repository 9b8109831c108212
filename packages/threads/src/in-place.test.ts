import { expect, test } from 'vitest'

import { workInPlace } from './in-place.ts'

/** Keeps the processor busy for so many of its milliseconds. */
function toil(milliseconds: number): void {
  const began = process.cpuUsage()
  for (let used = 0; used < milliseconds * 1_000;) {
    const { user, system } = process.cpuUsage(began)
    used = user + system
  }
}

test('a key whose work was slow twice in a row is not for this thread any more, others are', () => {
  const inPlace = workInPlace(0)
  expect(inPlace.run('a', () => 'done')).toBe('done')
  expect(inPlace.mayRun('a')).toBe(true)
  inPlace.run('a', () => undefined)
  expect([inPlace.mayRun('a'), inPlace.mayRun('b')]).toEqual([false, true])
})

test('quick work makes slow work before it forgotten', () => {
  const inPlace = workInPlace(30)
  for (const work of [() => toil(60), () => undefined, () => toil(60)]) inPlace.run('a', work)
  expect(inPlace.mayRun('a')).toBe(true)
})

test.skipIf(!('threadCpuUsage' in process))('a machine that gives the processor to others makes no work slow', () => {
  const inPlace = workInPlace(20)
  const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40)
  for (let time = 0; time < 2; time += 1) inPlace.run('a', wait)
  expect(inPlace.mayRun('a')).toBe(true)
})
