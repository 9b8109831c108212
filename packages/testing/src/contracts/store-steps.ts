import assert from 'node:assert/strict'

import type { Json, Value } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { assertBytes, advanceClock, storeCase, type MakeStore } from './store-bench.ts'
import { samplePattern } from './store-samples.ts'

/** Rules of `update`: a change is atomic, even with concurrent writers. */
export const stepRules: Contract<MakeStore> = [
  storeCase('an update reads, changes and resolves to what it wrote', async ({ store }) => {
    assert.deepEqual(await store.update('key', (old) => ({ old: (old as Json | undefined) ?? 'absent' })), {
      old: 'absent',
    })
    assert.deepEqual(await store.update('key', (old) => ({ old: (old as Json | undefined) ?? 'absent' })), {
      old: { old: 'absent' },
    })
    assert.deepEqual(await store.get('key'), { old: { old: 'absent' } })
    assertBytes(await store.update('key', () => samplePattern(5)), samplePattern(5))
    assertBytes(await store.update('key', (old) => (old as Uint8Array).slice(1)), samplePattern(5).slice(1))
    assertBytes(await store.get('key'), samplePattern(5).slice(1))
  }),
  storeCase('no increment is lost when 200 race', async ({ store }) => {
    const written = await Promise.all(Array.from({ length: 200 }, () => store.update('count', increment)))
    assert.equal(await store.get('count'), 200)
    assert.equal(new Set(written).size, 200)
  }),
  storeCase('an update of a key that is wrongly said to be new sees what is there', async ({ store }) => {
    const isNew = { isNew: true }
    const written = await Promise.all(Array.from({ length: 50 }, () => store.update('count', increment, isNew)))
    assert.equal(new Set(written).size, 50)
    assert.equal(await store.update('count', (old) => old ?? 0, isNew), 50)
    assert.equal(await store.update('count', (old) => (old === undefined ? undefined : 51), isNew), 51)
    assert.equal(await store.get('count'), 51)
    assert.equal(await store.update('count', () => undefined, isNew), undefined)
    assert.equal(await store.get('count'), undefined)
  }),
  storeCase('no increment is lost when some throw and some change nothing', async ({ store }) => {
    const updates = Array.from({ length: 90 }, (_, index) =>
      store.update('count', (old) => {
        if (index % 3 === 0) throw new Error('changed its mind')
        return index % 3 === 1 ? old : increment(old)
      }),
    )
    await Promise.allSettled(updates)
    assert.equal(await store.get('count'), 30)
  }),
  storeCase('a set or a delete that races with an update is not lost', async ({ store }) => {
    const add = (old: Value | undefined) => [...((old as string[] | undefined) ?? []), 'update']
    for (let round = 0; round < 50; round += 1) {
      const key = `key ${round}`
      await store.set(key, ['before'])
      await Promise.all([store.update(key, add), store.set(key, ['set']), store.update(key, add)])
      assert.equal(((await store.get(key)) as string[])[0], 'set')
      await Promise.all([store.update(key, add), store.delete(key)])
      assert.ok(
        !JSON.stringify((await store.get(key)) ?? null).includes('set'),
        'an update brought back what was deleted',
      )
    }
  }),
  storeCase('an update that gives undefined removes the key', async ({ store }) => {
    await store.set('key', 'value')
    assert.equal(await store.update('key', () => undefined), undefined)
    assert.equal(await store.get('key'), undefined)
    assert.equal(await store.update('absent', () => undefined), undefined)
    assert.equal(await store.get('absent'), undefined)
  }),
  storeCase('an update that throws rejects with that error and changes nothing', async ({ store }) => {
    await store.set('key', 'value')
    const error = new Error('changed its mind')
    const change = () => {
      throw error
    }
    await assert.rejects(store.update('key', change), (seen) => seen === error)
    assert.equal(await store.get('key'), 'value')
    assert.equal(await store.update('key', () => 'next'), 'next')
  }),
  storeCase('an update that gives what it was given writes nothing', async (bench) => {
    await bench.store.set('json', { a: 1 }, { ttl: 1000 })
    await bench.store.set('bytes', samplePattern(3), { ttl: 1000 })
    await advanceClock(bench, 600)
    assert.deepEqual(await bench.store.update('json', (old) => old, { ttl: 1000 }), { a: 1 })
    assertBytes(await bench.store.update('bytes', (old) => old, { ttl: 1000 }), samplePattern(3))
    await advanceClock(bench, 400)
    assert.equal(await bench.store.get('json'), undefined, 'the value was written, for its ttl was renewed')
    assert.equal(await bench.store.get('bytes'), undefined, 'the value was written, for its ttl was renewed')
  }),
  storeCase('a delete removes, and succeeds when the key is absent', async ({ store }) => {
    await store.set('key', 'value')
    await store.delete('key')
    assert.equal(await store.get('key'), undefined)
    await store.delete('key')
    await store.delete('never there')
  }),
]

const increment = (old: Value | undefined) => ((old as number | undefined) ?? 0) + 1
