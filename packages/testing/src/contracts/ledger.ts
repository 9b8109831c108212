import assert from 'node:assert/strict'

import type { Clock, Ledger } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { reasonOf } from './until.ts'

/** Creates a ledger without any teams that uses this clock. */
export type MakeLedger = (clock: Clock) => Ledger | Promise<Ledger>

const team = 'acme'
const minute = 60_000

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return ((await reasonOf(work)) as { readonly code?: unknown }).code
}

/** The contract of the `Ledger` port. */
export const ledgerContract: Contract<MakeLedger> = [
  {
    name: 'a team that is not known has no bound, has used nothing, and may hold what it likes',
    run: async (make) => {
      const ledger = await make(handClock(0))
      const account = await ledger.account(team)
      assert.deepEqual([account.credits, account.granted, account.held, account.used], [undefined, undefined, 0, 0])
      assert.deepEqual(await ledger.hold({ team, task: 'a', credits: 1e9, until: Infinity }), { isBound: false })
      await ledger.settle({ team, task: 'a', credits: 5, isUnheld: true })
      assert.equal((await ledger.account(team)).used, 5)
      await ledger.close()
    },
  },
  {
    name: 'what is granted can be used, each grant once, and by that team only',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 10, id: 'one' })
      await ledger.grant({ team, credits: 10, id: 'one' })
      await ledger.grant({ team, credits: 5, id: 'two' })
      assert.equal((await ledger.account(team)).credits, 15)
      assert.equal((await ledger.account('other')).credits, undefined)
      await ledger.close()
    },
  },
  {
    name: 'more than a team has cannot be held, and a hold that is refused changes nothing',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 10, id: 'one' })
      const first = await ledger.hold({ team, task: 'a', credits: 7, until: minute })
      assert.equal(first.isBound, true)
      assert.ok(first.credits === undefined || first.credits === 3, 'what may still be held, if it is said')
      assert.equal(await codeOf(ledger.hold({ team, task: 'b', credits: 4, until: minute })), 'insufficient_credits')
      assert.equal(await codeOf(ledger.hold({ team, task: 'a', credits: 11, until: minute })), 'insufficient_credits')
      const { credits, held } = await ledger.account(team)
      assert.deepEqual([credits, held], [3, 7])
      await ledger.hold({ team, task: 'a', credits: 10, until: minute })
      assert.equal((await ledger.account(team)).credits, 0)
      await ledger.close()
    },
  },
  {
    name: 'of holds at the same time only as many are given as there are credits',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 25, id: 'one' })
      const holds = Array.from({ length: 40 }, (_, task) =>
        ledger.hold({ team, task: `${task}`, credits: 1, until: minute }).then(
          () => 1,
          () => 0,
        ),
      )
      const granted = (await Promise.all(holds)).reduce<number>((sum, one) => sum + one, 0)
      assert.equal(granted, 25)
      await ledger.close()
    },
  },
  {
    name: 'a task that is settled gives back what it did not cost, and costs the same when it is settled again',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 10, id: 'one' })
      await ledger.hold({ team, task: 'a', credits: 7, until: minute })
      for (let time = 0; time < 3; time += 1) await ledger.settle({ team, task: 'a', credits: 2 })
      const { credits, held, used } = await ledger.account(team)
      assert.deepEqual([credits, held, used], [8, 0, 2])
      await ledger.close()
    },
  },
  {
    name: 'a task that is settled bit by bit costs its last sum, in whatever order and however often that is told',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 20, id: 'one' })
      const bits = { from: 0, until: 10 * minute }
      await ledger.hold({ team, task: 'job', credits: 9, until: minute, bits })
      for (const credits of [2, 5, 5, 4]) await ledger.settle({ team, task: 'job', credits, hold: 3 })
      const { credits, held, used } = await ledger.account(team)
      assert.deepEqual([credits, held, used], [12, 3, 5])
      await ledger.settle({ team, task: 'job', credits: 6 })
      await ledger.settle({ team, task: 'job', credits: 6 })
      const after = await ledger.account(team)
      assert.deepEqual([after.credits, after.held, after.used], [14, 0, 6])
      // The task continues: earlier charges are not repeated.
      await ledger.hold({ team, task: 'job', credits: 4, until: minute, bits: { ...bits, from: 6 } })
      await ledger.settle({ team, task: 'job', credits: 8 })
      assert.equal((await ledger.account(team)).used, 8)
      await ledger.close()
    },
  },
  {
    name: 'what is held for too long is given back, and what was taken for its task is remembered',
    run: async (make) => {
      const clock = handClock()
      const ledger = await make(clock)
      await ledger.grant({ team, credits: 10, id: 'one' })
      const now = clock.now()
      await ledger.hold({ team, task: 'a', credits: 6, until: now + minute })
      const bits = { from: 0, until: now + 10 * minute }
      await ledger.hold({ team, task: 'job', credits: 4, until: now + minute, bits })
      await ledger.settle({ team, task: 'job', credits: 1, hold: 3 })
      await clock.pass(minute)
      assert.equal((await ledger.account(team)).credits, 9)
      await ledger.hold({ team, task: 'job', credits: 5, until: now + 5 * minute, bits })
      await ledger.settle({ team, task: 'job', credits: 3 })
      // The reservation had expired, so nothing is charged.
      await ledger.settle({ team, task: 'a', credits: 6 })
      const { credits, used } = await ledger.account(team)
      assert.deepEqual([credits, used], [7, 3])
      await ledger.close()
    },
  },
  {
    name: 'what is used is counted by day and month, and by the key that was used',
    run: async (make) => {
      const clock = handClock(Date.parse('2026-01-31T23:59:00Z'))
      const ledger = await make(clock)
      await ledger.settle({ team, task: 'a', credits: 1, isUnheld: true })
      await ledger.settle({ team, task: 'b', credits: 2, isUnheld: true, key: 'k' })
      await clock.pass(2 * minute)
      await ledger.settle({ team, task: 'c', credits: 4, isUnheld: true, key: 'k' })
      const { days, months, used } = await ledger.account(team)
      assert.deepEqual(days, { '2026-01-31': { '': 1, k: 2 }, '2026-02-01': { k: 4 } })
      assert.deepEqual(months, { '2026-01': { '': 1, k: 2 }, '2026-02': { k: 4 } })
      assert.equal(used, 7)
      await ledger.close()
    },
  },
  {
    name: 'a bound that is taken away binds no more',
    run: async (make) => {
      const ledger = await make(handClock(0))
      await ledger.grant({ team, credits: 1, id: 'one' })
      await ledger.unbind(team)
      assert.equal((await ledger.account(team)).credits, undefined)
      assert.deepEqual(await ledger.hold({ team, task: 'a', credits: 99, until: minute }), { isBound: false })
      await ledger.close()
    },
  },
]
