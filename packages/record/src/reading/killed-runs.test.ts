import { expect, test } from 'vitest'

import type { Note } from '../notes.ts'
import { killedRuns, withoutRepeats } from './killed-runs.ts'

const begun = (first: number): Note => ({ is: 'begun', version: 1, at: 0, first })
const ended: Note = { is: 'ended' }
const asked = (...orders: readonly number[]) => orders.map((order) => ({ order }))

test('of a run that was killed and goes on, what is asked again counts once, by its later answer', () => {
  const killed = killedRuns([begun(0), begun(5), ended])
  expect(withoutRepeats(asked(1, 2, 6), killed)).toEqual(asked(6))
  expect(withoutRepeats(asked(1, 2), killed)).toEqual(asked(1, 2))
})

test('runs that were closed follow each other, and the last run counts as a whole however it ended', () => {
  expect(withoutRepeats(asked(1, 6), killedRuns([begun(0), ended, begun(5)]))).toEqual(asked(1, 6))
  expect(withoutRepeats(asked(1, 2), killedRuns([begun(0)]))).toEqual(asked(1, 2))
})
