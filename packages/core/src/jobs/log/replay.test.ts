import { expect, test } from 'vitest'

import type { Json } from '@harvestman/ports'
import type { Log, Segment } from '@harvestman/coordination'
import type { Fact } from './facts.ts'
import { becomeWriter, factsUpTo, replayLog } from './replay.ts'

const fact = (at: number): Fact => ({ is: 'noted', at, note: null })

/** A log whose store answers at once. */
function promptLog(places: number): Log {
  const segment = (place: number): Segment | undefined => {
    const head = { by: 'me', facts: [fact(place)] } as Json
    return place < places ? { head, body: async () => new Uint8Array(), free: () => undefined } : undefined
  }
  const log: Log = {
    read: async (place) => segment(place),
    readMany: async (wanted) => wanted.map(segment),
    append: async () => true,
    key: String,
    cut: async () => undefined,
    beside: () => log,
  }
  return log
}

/** How often others had a turn while this was done. */
async function turnsOfOthers(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let isDone = false
  const others = (): void => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  await work().finally(() => {
    isDone = true
  })
  return turns
}

test('a place that is taken and cannot be read is told as damage of the store, and not asked for again and again', async () => {
  const state = await replayLog(promptLog(3))
  const lost = { ...promptLog(3), append: async () => false }
  await expect(becomeWriter(lost, state, () => undefined, fact(3), 'me')).rejects.toMatchObject({
    code: 'store_failed',
    details: { reason: 'damaged' },
  })
})

test('every fact is told of in order, and the state says how many segments there are', async () => {
  const told: number[] = []
  const { places } = await replayLog(promptLog(21), ({ at }) => void told.push(at))
  expect([places, told]).toEqual([21, Array.from({ length: 21 }, (_, place) => place)])
})

test('a long log is read without keeping others from their work', async () => {
  expect(await turnsOfOthers(async () => void (await replayLog(promptLog(50))))).toBeGreaterThan(40)
  const readFacts = async (): Promise<void> => {
    let told = 0
    for await (const { at } of factsUpTo(promptLog(60), 50)) expect(at).toBe(told++)
    expect(told).toBe(50)
  }
  expect(await turnsOfOthers(readFacts)).toBeGreaterThan(40)
})
