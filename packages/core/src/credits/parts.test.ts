import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { storeLedger } from '@harvestman/coordination'
import { splitHold } from './parts.ts'
import { openHold, payFor } from './hold.ts'

const team = 'acme'
const race = <T>(work: Promise<T>): Promise<T> => work

async function setUp(credits: number) {
  const ledger = storeLedger(memoryStore())
  await ledger.grant({ team, credits, id: 'one' })
  const hold = openHold(ledger, { team, task: 'search', until: Date.now() + 60_000 })
  return { ledger, hold }
}

/** A part that may cost so much, and costs so much. */
const part = (parts: ReturnType<typeof splitHold>, most: number, price: number) =>
  payFor({ hold: parts.open(), most, price: () => price, race }, () => Promise.resolve())

test('what the parts of a piece of work cost is taken as one sum, and what they did not need is given back', async () => {
  const { ledger, hold } = await setUp(50)
  const parts = splitHold(hold)
  await payFor({ hold, most: 22, price: () => parts.spent, race }, async () => {
    await part(parts, 2, 2)
    await Promise.all([part(parts, 5, 1), part(parts, 5, 5), part(parts, 5, 3)])
    expect(await ledger.account(team)).toMatchObject({ held: 22, used: 0 })
  })
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 11, credits: 39 })
})

test('parts that come to more than was held have more held, and the one that there is nothing for fails alone', async () => {
  const { ledger, hold } = await setUp(10)
  const parts = splitHold(hold)
  const results = await payFor({ hold, most: 1, price: () => parts.spent, race }, () =>
    Promise.allSettled([part(parts, 4, 4), part(parts, 4, 4), part(parts, 4, 4)]),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: 'insufficient_credits' } })
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 8, credits: 2 })
})

test('parts never come to more than the cap of the whole', async () => {
  const { ledger, hold } = await setUp(100)
  const parts = splitHold(hold, 7)
  const results = await payFor({ hold, most: 0, price: () => parts.spent, race }, () =>
    Promise.allSettled([part(parts, 5, 5), part(parts, 3, 3), part(parts, 2, 2)]),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 7 })
})

test('work that fails in the end gives back what its parts have cost', async () => {
  const { ledger, hold } = await setUp(10)
  const parts = splitHold(hold)
  const failing = payFor({ hold, most: 3, price: () => parts.spent, race }, async () => {
    await part(parts, 3, 3)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 0, credits: 10 })
})
