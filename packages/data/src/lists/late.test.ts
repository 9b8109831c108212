import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { lateAfter } from './late.ts'

test('collecting ends a second before the time of its request, and at its own time before that', async () => {
  const ends = async (left: number, most: number, passed: number) => {
    const clock = handClock()
    const { signal, bound, end } = lateAfter({ clock, timeLeft: () => left }, most)
    await clock.pass(passed)
    end()
    return [signal.aborted, bound]
  }
  expect(await ends(30_000, 60_000, 28_900)).toEqual([false, 'timeout'])
  expect(await ends(30_000, 60_000, 29_100)).toEqual([true, 'timeout'])
  expect(await ends(30_000, 20_000, 20_100)).toEqual([true, 'time'])
  expect(await ends(2_000, 20_000, 1_850)).toEqual([true, 'timeout'])
})
