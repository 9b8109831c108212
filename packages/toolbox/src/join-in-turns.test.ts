import { expect, test } from 'vitest'

import { joinInTurns } from './join-in-turns.ts'

test('pieces of all sizes are joined in their order', async () => {
  const pieces = [0, 1, 5_000_000, 3, 2_097_152, 70_000].map((size, index) => new Uint8Array(size).fill(index))
  expect(Buffer.concat(pieces).equals(await joinInTurns(pieces))).toBe(true)
  expect(await joinInTurns([])).toHaveLength(0)
})

test('what is long is copied in many turns, so that others have theirs', async () => {
  let turns = 0
  const turn = (): void => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  await joinInTurns([new Uint8Array(20_000_000)])
  clearImmediate(next)
  expect(turns).toBeGreaterThan(5)
})
