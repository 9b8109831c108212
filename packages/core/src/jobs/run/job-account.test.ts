import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { storeLedger } from '@harvestman/coordination'
import type { Ledger } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { emptyTally } from '../log/tally.ts'
import { openAccount } from './job-account.ts'

const team = 'acme'

/** A job that goes on, the account of its team, and what the job has asked of it. */
async function openJob(granted: number, maxCredits = Infinity) {
  const clock = handClock()
  const asked = { holds: [] as number[], settled: 0 }
  const kept = storeLedger(memoryStore({ clock }), { clock })
  await kept.grant({ team, credits: granted, id: 'all' })
  const ledger: Ledger = {
    ...kept,
    hold: (hold) => (asked.holds.push(hold.credits), kept.hold(hold)),
    settle: (charge) => ((asked.settled += 1), kept.settle(charge)),
  }
  const opening = {
    id: 'job',
    kind: 'crawl',
    team,
    about: '',
    request: {},
    createdAt: 0,
    expiresAt: Infinity,
    salt: '',
  }
  const options = { opening, stored: 0, left: 1, maxCredits, kit: { ledger, clock, owner: 'one' } }
  return { clock, asked, kept, account: await openAccount(options) }
}

test('a job asks for more and more at once while that does not last and its team has plenty', async () => {
  const { clock, asked, kept, account } = await openJob(10_000_000)
  asked.holds.length = 0
  for (let page = 1; page <= 10_000; page += 1) expect(await account.covers(page, 1)).toBe(true)
  expect(asked.holds.length).toBeLessThan(20)
  const before = (await kept.account(team)).held
  expect(before).toBeLessThan(10_000 + 1_100)
  // It has become slow, so it sets less aside.
  for (let page = 10_000; page < 30_000; page += 500) {
    await clock.pass(60_000)
    await account.covers(page, 1)
  }
  expect((await kept.account(team)).held - 29_500).toBeLessThan(32)
  await account.close(() => ({ ...emptyTally, credits: 20 }))
})

test('a job leaves most of what its team has to others, and takes the last of it page by page', async () => {
  const { asked, kept, account } = await openJob(3_000)
  let page = 0
  while (await account.covers(page + 1, 1)) {
    page += 1
    const { held, credits = 0 } = await kept.account(team)
    expect(held - page).toBeLessThanOrEqual(Math.max(16, credits))
    expect(held - page).toBeLessThanOrEqual(17)
  }
  expect(page).toBe(3_000)
  expect(asked.holds.at(-1)).toBe(3_001)
  await account.close(() => ({ ...emptyTally, credits: 3_000 }))
})

test('pages that are kept one after the other are settled together, and the last ones when the job ends', async () => {
  const { asked, kept, account } = await openJob(1_000)
  await account.covers(200, 1)
  const before = asked.settled
  let pages = 0
  for (; pages < 200; pages += 1) account.settleSoon(() => pages)
  await expect.poll(async () => (await kept.account(team)).used, { timeout: 20_000 }).toBe(200)
  expect(asked.settled - before).toBe(1)
  account.settleSoon(() => 205)
  await account.close(() => ({ ...emptyTally, credits: 205, status: 'completed' }))
  expect(await kept.account(team)).toMatchObject({ used: 205, held: 0, credits: 795 })
})

test('a job asks for more before it has used up what is set aside, so that its pages do not wait', async () => {
  const { account, asked } = await openJob(1_000_000)
  let waited = 0
  for (let page = 1; page <= 5_000; page += 1) {
    if (!account.has(page, 1)) {
      waited += 1
      await account.covers(page, 1)
    }
    // The store writes what was asked for meanwhile.
    await account.inTurn(async () => undefined)
  }
  // The second page: one was set aside when the job began.
  expect(waited).toBe(1)
  expect(asked.holds.length).toBeLessThan(30)
  await account.close(() => ({ ...emptyTally, credits: 5_000 }))
})

test('a job for which all was set aside when it began asks for nothing', async () => {
  const { account, asked } = await openJob(1_000)
  const begun = asked.holds.length
  expect(account.has(1, 1)).toBe(true)
  await account.inTurn(async () => undefined)
  expect(asked.holds).toHaveLength(begun)
  await account.close(() => ({ ...emptyTally, credits: 1 }))
})

test('what is set aside ahead never passes maxCredits', async () => {
  const { account, asked, kept } = await openJob(1_000, 40)
  for (let page = 1; page <= 40; page += 1) {
    if (!account.has(page, 1)) await account.covers(page, 1)
    await account.inTurn(async () => undefined)
    expect((await kept.account(team)).held).toBeLessThanOrEqual(40)
  }
  expect(asked.holds.at(-1)).toBe(40)
  await account.close(() => ({ ...emptyTally, credits: 40 }))
})

test('nothing is set aside once the job is closed', async () => {
  const { account, kept } = await openJob(1_000)
  await account.covers(12, 1)
  const closing = account.close(() => ({ ...emptyTally, credits: 12, status: 'completed' }))
  for (let needed = 13; needed < 100; needed += 1) account.has(needed, 1)
  await closing
  await account.inTurn(async () => undefined)
  expect(await kept.account(team)).toMatchObject({ held: 0, used: 12, credits: 988 })
})
