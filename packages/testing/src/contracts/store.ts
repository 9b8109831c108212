import assert from 'node:assert/strict'

import type { Contract } from '../contract.ts'
import { assertBytes, advanceClock, storeCase, type MakeStore } from './store-bench.ts'
import { samplePattern } from './store-samples.ts'
import { listRules } from './store-lists.ts'
import { seamRules } from './store-seams.ts'
import { stepRules } from './store-steps.ts'
import { timeRules } from './store-times.ts'
import { apartRules, valueRules } from './store-values.ts'

export type { MakeStore }

const otherRules: Contract<MakeStore> = [
  storeCase('many keys are read in their order, absent and repeated ones too', async (bench) => {
    const { store } = bench
    if (!store.getMany) return
    await store.set('a', 1)
    await store.set('b', samplePattern(2))
    await store.set('c', null)
    await store.set('gone', 'value', { ttl: 10 })
    await advanceClock(bench, 10)
    const [c, absent, a, gone, b, again] = await store.getMany(['c', 'absent', 'a', 'gone', 'b', 'a'])
    assert.deepEqual([c, absent, a, gone, again], [null, undefined, 1, undefined, 1])
    assertBytes(b, samplePattern(2))
    assert.deepEqual(await store.getMany([]), [])
  }),
  storeCase('closing lets pending writes finish', async ({ store }) => {
    const writes = [store.set('a', 1), store.update('b', () => 2), store.delete('c')]
    await store.close()
    const outcomes = await Promise.allSettled(writes)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled'],
    )
  }),
  storeCase('every call after closing rejects, but closing again', async ({ store }) => {
    await store.set('key', 'value')
    await store.close()
    await assert.rejects(store.get('key'))
    await assert.rejects(store.set('key', 'value'))
    await assert.rejects(store.update('key', () => 'value'))
    await assert.rejects(store.delete('key'))
    if (store.getMany) await assert.rejects(store.getMany(['key']))
    await assert.rejects(store.list('list/', { limit: 1 }))
    await store.close()
  }),
  storeCase('its generation stays the same while it is on one server', async ({ store }) => {
    if (!store.generation) return
    await store.set('key', 1)
    const before = store.generation()
    await store.update('key', () => 2)
    await store.get('key')
    assert.equal(store.generation(), before)
  }),
  storeCase('says how far its update reaches', async ({ store }) => {
    assert.ok(store.reach === 'process' || store.reach === 'shared')
  }),
]

/** The contract of the `Store` port. */
export const storeContract: Contract<MakeStore> = [
  ...valueRules,
  ...apartRules,
  ...timeRules,
  ...stepRules,
  ...listRules,
  ...otherRules,
  ...seamRules,
]
