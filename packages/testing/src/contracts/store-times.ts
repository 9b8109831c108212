import assert from 'node:assert/strict'

import type { Contract } from '../contract.ts'
import { assertBytes, advanceClock, storeCase, type MakeStore } from './store-bench.ts'
import { samplePattern } from './store-samples.ts'

/** Rules of the TTL: a value expires at its end, and not before. */
export const timeRules: Contract<MakeStore> = [
  storeCase('a value is gone after its ttl, and not before', async (bench) => {
    await bench.store.set('key', 'value', { ttl: 1000 })
    await advanceClock(bench, 999)
    assert.equal(await bench.store.get('key'), 'value')
    await advanceClock(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  storeCase('bytes are gone after their ttl too', async (bench) => {
    await bench.store.set('key', samplePattern(8), { ttl: 1000 })
    await advanceClock(bench, 999)
    assertBytes(await bench.store.get('key'), samplePattern(8))
    await advanceClock(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  storeCase('a value without a ttl stays', async (bench) => {
    await bench.store.set('key', 'value')
    await advanceClock(bench, 10 * 365 * 86_400_000)
    assert.equal(await bench.store.get('key'), 'value')
  }),
  storeCase('setting again with a ttl starts it anew', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await advanceClock(bench, 600)
    await bench.store.set('key', 2, { ttl: 1000 })
    await advanceClock(bench, 600)
    assert.equal(await bench.store.get('key'), 2)
    await advanceClock(bench, 400)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  storeCase('setting again without a ttl makes the value stay', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await bench.store.set('key', 2)
    await advanceClock(bench, 5000)
    assert.equal(await bench.store.get('key'), 2)
  }),
  storeCase('an update with a ttl starts it anew', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await advanceClock(bench, 600)
    await bench.store.update('key', () => 2, { ttl: 1000 })
    await advanceClock(bench, 999)
    assert.equal(await bench.store.get('key'), 2)
    await advanceClock(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  storeCase('an update without a ttl lets the one that the key has run on', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await advanceClock(bench, 600)
    await bench.store.update('key', () => 2)
    await advanceClock(bench, 399)
    assert.equal(await bench.store.get('key'), 2)
    await advanceClock(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  storeCase('an update sees a value whose ttl has passed as absent', async (bench) => {
    await bench.store.set('key', 'old', { ttl: 1000 })
    await advanceClock(bench, 1000)
    assert.equal(await bench.store.update('key', (old) => (old === undefined ? 'absent' : 'there')), 'absent')
    await advanceClock(bench, 100_000)
    assert.equal(await bench.store.get('key'), 'absent')
  }),
  storeCase('a value that is set where another one has expired stays', async (bench) => {
    await bench.store.set('key', 'old', { ttl: 1000 })
    await advanceClock(bench, 2000)
    await Promise.all([bench.store.get('key'), bench.store.set('key', 'new'), bench.store.get('key')])
    assert.equal(await bench.store.get('key'), 'new')
  }),
  storeCase('a ttl of nothing means gone at once', async (bench) => {
    await bench.store.set('key', 'value', { ttl: 0 })
    assert.equal(await bench.store.get('key'), undefined)
    await bench.store.set('key', 'value')
    await bench.store.update('key', () => 'other', { ttl: -5 })
    assert.equal(await bench.store.get('key'), undefined)
  }),
]
