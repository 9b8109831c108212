import { expect, test } from 'vitest'

import { memoryStore } from '@harvestman/embedded'
import { storeLedger } from '@harvestman/coordination'
import { splitPurse } from './parts.ts'
import { openPurse, payFor } from './purse.ts'

const team = 'acme'
const race = <T>(work: Promise<T>): Promise<T> => work

async function setUp(credits: number) {
  const ledger = storeLedger(memoryStore())
  await ledger.grant({ team, credits, id: 'one' })
  const purse = openPurse(ledger, { team, task: 'search', until: Date.now() + 60_000 })
  return { ledger, purse }
}

/** A part that may cost so much, and costs so much. */
const part = (parts: ReturnType<typeof splitPurse>, most: number, price: number) =>
  payFor({ purse: parts.open(), most, price: () => price, race }, () => Promise.resolve())

test('what the parts of a piece of work cost is taken as one sum, and what they did not need is given back', async () => {
  const { ledger, purse } = await setUp(50)
  const parts = splitPurse(purse)
  await payFor({ purse, most: 22, price: () => parts.spent, race }, async () => {
    await part(parts, 2, 2)
    await Promise.all([part(parts, 5, 1), part(parts, 5, 5), part(parts, 5, 3)])
    expect(await ledger.account(team)).toMatchObject({ held: 22, used: 0 })
  })
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 11, credits: 39 })
})

test('parts that come to more than was held have more held, and the one that there is nothing for fails alone', async () => {
  const { ledger, purse } = await setUp(10)
  const parts = splitPurse(purse)
  const results = await payFor({ purse, most: 1, price: () => parts.spent, race }, () =>
    Promise.allSettled([part(parts, 4, 4), part(parts, 4, 4), part(parts, 4, 4)]),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: 'insufficient_credits' } })
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 8, credits: 2 })
})

test('parts never come to more than the cap of the whole', async () => {
  const { ledger, purse } = await setUp(100)
  const parts = splitPurse(purse, 7)
  const results = await payFor({ purse, most: 0, price: () => parts.spent, race }, () =>
    Promise.allSettled([part(parts, 5, 5), part(parts, 3, 3), part(parts, 2, 2)]),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 7 })
})

test('work that fails in the end gives back what its parts have cost', async () => {
  const { ledger, purse } = await setUp(10)
  const parts = splitPurse(purse)
  const failing = payFor({ purse, most: 3, price: () => parts.spent, race }, async () => {
    await part(parts, 3, 3)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await ledger.account(team)).toMatchObject({ held: 0, used: 0, credits: 10 })
})
