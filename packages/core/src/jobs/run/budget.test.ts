import { storeLedger } from '@harvestman/coordination'
import { memoryStore } from '@harvestman/embedded'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { JobKit } from '../kit.ts'
import type { JobState } from '../log/state.ts'
import { emptyTally } from '../log/tally.ts'
import { openBudget } from './budget.ts'

const team = 'acme'
const opening = {
  ...{ id: 'job', kind: 'batch', team, about: '', request: {}, createdAt: 0, expiresAt: Infinity, salt: '' },
}

/** Opens the budget of a job of a team with 1,000 credits, and returns the credits that its reservation withholds. */
async function openJob() {
  const clock = handClock()
  const ledger = storeLedger(memoryStore({ clock }), { clock })
  await ledger.grant({ team, credits: 1_000, id: 'all' })
  const state = { tally: emptyTally }
  // Casts: the budget uses only these parts.
  const kit = { ledger, clock, owner: 'one' } as unknown as JobKit
  const budget = await openBudget({ opening, state: state as unknown as JobState, left: 3, kit })
  return { state, budget, held: async () => (await ledger.account(team)).held }
}

test('a page with a high maximum price reserves it once, and the pages ahead with the price of a page', async () => {
  const { budget, held } = await openJob()
  expect(await budget.open(20)).toMatchObject({ most: 20 })
  expect(await held()).toBe(20 + 16)
  await budget.close()
})

test('the pages ahead are reserved with the average price of the stored pages', async () => {
  const { state, budget, held } = await openJob()
  for (let page = 1; page <= 10; page += 1) {
    const hold = await budget.open(20)
    if (hold === 'wait' || 'spent' in hold) throw new Error('There are enough credits.')
    await hold.settle(3)
    state.tally = { ...emptyTally, completed: page, credits: 3 * page }
    hold.close()
  }
  const hold = await budget.open(200)
  expect(hold).toMatchObject({ most: 200 })
  // Nothing is settled yet: 30 credits of stored pages, 200 of the running one, and 16 pages ahead for 3 credits each.
  expect(await held()).toBe(30 + 200 + 16 * 3)
  await budget.close()
})
