import { handClock, ledgerContract, memoryStore } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { storeLedger } from './ledger.ts'

describe('the ledger on a store keeps the contract', () => {
  test.each(ledgerContract)('$name', ({ run }) => run((clock) => storeLedger(memoryStore({ clock }), { clock })))
})

const team = 'acme'

test('what an engine holds that is gone is given back when it is needed', async () => {
  const clock = handClock()
  const gone = new Set<string>()
  const ledger = storeLedger(memoryStore({ clock }), { clock, isGone: (engine) => gone.has(engine) })
  await ledger.grant({ team, credits: 10, id: 'one' })
  const until = clock.now() + 60_000
  await ledger.hold({ team, task: 'a', credits: 6, until, by: 'first' })
  await ledger.hold({ team, task: 'b', credits: 2, until, by: 'second' })
  await expect(ledger.hold({ team, task: 'c', credits: 5, until, by: 'second' })).rejects.toMatchObject({
    code: 'insufficient_credits',
    details: { needed: 5, credits: 2 },
  })
  gone.add('first')
  await ledger.hold({ team, task: 'c', credits: 5, until, by: 'second' })
  expect(await ledger.account(team)).toMatchObject({ credits: 3, held: 7 })
})

test('charges that come together are one write, and one that is refused spoils no other', async () => {
  let writes = 0
  const store = memoryStore()
  const counting: Store = { ...store, update: (...given) => ((writes += 1), store.update(...given)) }
  const ledger = storeLedger(counting)
  await ledger.grant({ team, credits: 50, id: 'one' })
  writes = 0
  const until = Date.now() + 60_000
  const wishes = Array.from({ length: 100 }, (_, task) => ledger.hold({ team, task: `${task}`, credits: 1, until }))
  const results = await Promise.allSettled(wishes)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
  expect(writes).toBeLessThanOrEqual(2)
})

test('work of a team without a bound writes nothing before it', async () => {
  let writes = 0
  const store = memoryStore()
  const counting: Store = {
    ...store,
    update: (key, change, options) =>
      store.update(
        key,
        (old) => {
          const value = change(old)
          if (value !== old) writes += 1
          return value
        },
        options,
      ),
  }
  const ledger = storeLedger(counting)
  for (let task = 0; task < 10; task += 1) await ledger.hold({ team, task: `${task}`, credits: 1, until: Infinity })
  expect(writes).toBe(0)
})

test('charges without a bound that come in one turn are one write, counted by key, and are written before the ledger is closed', async () => {
  let writes = 0
  const store = memoryStore()
  const counting: Store = { ...store, update: (...given) => ((writes += 1), store.update(...given)) }
  const ledger = storeLedger(counting)
  const charges = ['a', 'b', 'a'].map((key, task) =>
    ledger.settle({ team, task: `${task}`, credits: 1, isUnheld: true, key }),
  )
  const other = ledger.settle({ team: 'other', task: 'x', credits: 4, isUnheld: true })
  await ledger.close()
  await Promise.all([...charges, other])
  expect(writes).toBe(2)
  const { used, months } = await ledger.account(team)
  expect([used, Object.values(months)]).toEqual([3, [{ a: 2, b: 1 }]])
  expect(await ledger.account('other')).toMatchObject({ used: 4 })
})

test('a charge without a bound of a task that is held settles that task', async () => {
  const ledger = storeLedger(memoryStore())
  await ledger.grant({ team, credits: 10, id: 'one' })
  await ledger.hold({ team, task: 'held', credits: 5, until: Date.now() + 60_000 })
  await Promise.all([
    ledger.settle({ team, task: 'held', credits: 2, isUnheld: true }),
    ledger.settle({ team, task: 'not held', credits: 3, isUnheld: true }),
  ])
  expect(await ledger.account(team)).toMatchObject({ credits: 8, held: 0, used: 5 })
})

test('an account that a newer version has written is refused', async () => {
  const store = memoryStore()
  await storeLedger(store).grant({ team, credits: 1, id: 'one' })
  await store.update(`ledger/${team}`, (old) => ({ ...(old as object), layout: 99 }))
  await expect(storeLedger(store).account(team)).rejects.toMatchObject({ code: 'newer_version' })
})
