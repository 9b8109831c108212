import assert from 'node:assert/strict'

import type { Value } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { assertBytes, storeCase, tryTo, type MakeStore } from './store-bench.ts'
import { jsonSamples, keySamples, nearKeys, notValues, samplePattern } from './store-samples.ts'

/** Rules of values: a stored value is returned unchanged, and nothing else is. */
export const valueRules: Contract<MakeStore> = [
  storeCase('an absent key gives undefined', async ({ store }) => {
    assert.equal(await store.get('absent'), undefined)
  }),
  storeCase('every kind of JSON comes back equal', async ({ store }) => {
    for (const [index, value] of jsonSamples.entries()) {
      await store.set(`json ${index}`, value)
      assert.deepEqual(await store.get(`json ${index}`), value)
    }
  }),
  storeCase('null is a value and not an absent key', async ({ store }) => {
    await store.set('null', null)
    assert.equal(await store.get('null'), null)
    assert.equal(await store.update('null', (old) => (old === null ? 'was null' : 'was absent')), 'was null')
  }),
  storeCase('a property that is undefined comes back absent', async ({ store }) => {
    await store.set('some', { a: 1, b: undefined })
    assert.deepEqual(await store.get('some'), { a: 1 })
  }),
  storeCase('bytes come back as the same bytes', async ({ store }) => {
    for (const bytes of [samplePattern(256), new Uint8Array(0), new TextEncoder().encode('{"a":1}')]) {
      await store.set('bytes', bytes)
      assertBytes(await store.get('bytes'), bytes)
    }
  }),
  storeCase('of a view on larger bytes only the view is kept', async ({ store }) => {
    const large = samplePattern(64)
    await store.set('view', large.subarray(10, 20))
    assertBytes(await store.get('view'), large.slice(10, 20))
    await store.set('view', Buffer.from(large.buffer, 30, 4))
    assertBytes(await store.get('view'), large.slice(30, 34))
  }),
  storeCase('a text of 16 MB comes back whole', async ({ store }) => {
    const text = 'harvestman ü '.repeat(1_200_000)
    await store.set('big', { text })
    const stored = (await store.get('big')) as { text: string }
    assert.ok(stored.text === text, 'the text is not the one that was set')
  }),
  storeCase('bytes of 16 MB come back whole', async ({ store }) => {
    const bytes = samplePattern(16_000_000)
    await store.set('big', bytes)
    assertBytes(await store.get('big'), bytes)
  }),
  storeCase('long values and short ones that are asked for at once come back each as it is', async ({ store }) => {
    const sizes = [0, 1, 40_000, 65_535, 65_536, 65_537, 262_144, 1_000_000]
    const bytes = sizes.map((size) => samplePattern(size + 1).subarray(1))
    const text = 'a line\r\n$5\r\n'.repeat(20_000)
    await Promise.all([...bytes.map((each, index) => store.set(`bytes ${index}`, each)), store.set('text', text)])
    const keys = [...sizes.map((_, index) => `bytes ${index}`), 'text', 'absent', 'bytes 7']
    const all = store.getMany ? await store.getMany(keys) : await Promise.all(keys.map((key) => store.get(key)))
    const many = await Promise.all(keys.map((key) => store.get(key)))
    for (const found of [all, many]) {
      for (const [index, each] of [...bytes.entries(), [10, bytes[7]!] as const]) assertBytes(found[index], each)
      assert.ok(found[8] === text, 'the text is not the one that was set')
      assert.equal(found[9], undefined)
    }
    await store.update('bytes 7', (old) => (old as Uint8Array).slice(0, 999_999))
    assertBytes(await store.get('bytes 7'), bytes[7]!.slice(0, 999_999))
    await store.delete('bytes 7')
    assert.equal(await store.get('bytes 7'), undefined)
  }),
  storeCase(
    'whether keys are there is told in their order, and no longer of one that was deleted',
    async ({ store }) => {
      if (!store.has) return
      assert.deepEqual(await store.has([]), [])
      await store.set('here', samplePattern(100_000))
      await store.set('null', null)
      assert.deepEqual(await store.has(['here', 'absent', 'null', 'here']), [true, false, true, true])
      await store.delete('here')
      assert.deepEqual(await store.has(['here', 'null']), [false, true])
    },
  ),
  storeCase('setting again replaces the value, also by one of another kind', async ({ store }) => {
    await store.set('key', { a: 1 })
    await store.set('key', samplePattern(3))
    assertBytes(await store.get('key'), samplePattern(3))
    await store.set('key', 'text')
    assert.equal(await store.get('key'), 'text')
  }),
  storeCase('of several sets that are under way for one key the last one wins', async ({ store }) => {
    await Promise.all([1, 2, 3, 4, 5].map((value) => store.set('key', value)))
    assert.equal(await store.get('key'), 5)
  }),
  storeCase('a thousand keys that are set at once are all kept', async ({ store }) => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    await Promise.all(numbers.map((number) => store.set(`key ${number}`, number)))
    const stored = await Promise.all(numbers.map((number) => store.get(`key ${number}`)))
    assert.deepEqual(stored, numbers)
  }),
  storeCase('what is neither JSON nor bytes is refused, and what was kept before stays', async ({ store }) => {
    await store.set('key', 'before')
    for (const value of notValues()) await assert.rejects(store.set('key', value as Value))
    // Cast: a value that every store must reject.
    await assert.rejects(store.update('key', () => 10n as never))
    assert.equal(await store.get('key'), 'before')
  }),
]

/** Rules of independence: keys and values do not affect each other. */
export const apartRules: Contract<MakeStore> = [
  storeCase('odd keys are keys like others', async ({ store }) => {
    for (const key of keySamples) await store.set(key, `value of ${key}`)
    for (const key of keySamples) assert.equal(await store.get(key), `value of ${key}`, JSON.stringify(key))
    for (const key of keySamples) await store.delete(key)
    for (const key of keySamples) assert.equal(await store.get(key), undefined, JSON.stringify(key))
  }),
  storeCase('keys that look alike do not touch each other', async ({ store }) => {
    for (const key of nearKeys) await store.set(key, key)
    for (const key of nearKeys) {
      await store.delete(key)
      await store.update(key, (old) => old ?? 'anew')
      for (const other of nearKeys) assert.equal(await store.get(other), other === key ? 'anew' : other)
      await store.set(key, key)
    }
  }),
  storeCase('changing what was given to set does not change what is kept', async ({ store }) => {
    const value = { list: [1, 2] }
    const bytes = samplePattern(4)
    await Promise.all([store.set('json', value), store.set('bytes', bytes)])
    value.list.push(3)
    bytes.fill(0)
    assert.deepEqual(await store.get('json'), { list: [1, 2] })
    assertBytes(await store.get('bytes'), samplePattern(4))
  }),
  storeCase('bytes that were freed once they were set or updated are kept whole', async ({ store }) => {
    const [set, updated] = [samplePattern(100_000), samplePattern(100_000)]
    await Promise.all([store.set('set', set), store.update('updated', () => updated)])
    for (const bytes of [set, updated]) bytes.buffer.transfer(0)
    for (const key of ['set', 'updated']) assertBytes(await store.get(key), samplePattern(100_000))
  }),
  // `slice` of a Buffer shares its memory, while that of a `Uint8Array` copies it.
  storeCase('a Buffer that was freed once it was set or updated is kept whole', async ({ store }) => {
    const [set, updated] = [Buffer.from(samplePattern(100_000).buffer), Buffer.from(samplePattern(100_000).buffer)]
    await Promise.all([store.set('set', set), store.update('updated', () => updated)])
    for (const bytes of [set, updated]) bytes.buffer.transfer(0)
    for (const key of ['set', 'updated']) assertBytes(await store.get(key), samplePattern(100_000))
  }),
  storeCase('changing what get gave does not change what is kept', async ({ store }) => {
    await store.set('json', { list: [1, 2] })
    await store.set('bytes', samplePattern(4))
    const [json, bytes] = [await store.get('json'), await store.get('bytes')]
    tryTo(() => (json as { list: number[] }).list.push(3))
    tryTo(() => (bytes as Uint8Array).fill(0))
    assert.deepEqual(await store.get('json'), { list: [1, 2] })
    assertBytes(await store.get('bytes'), samplePattern(4))
  }),
  storeCase('changing what update was given or gave does not change what is kept', async ({ store }) => {
    await store.set('key', { list: [1] })
    const written = await store.update('key', (old) => ({ list: [...(old as { list: number[] }).list, 2] }))
    tryTo(() => (written as { list: number[] }).list.push(3))
    const bytes = samplePattern(4)
    await store.update('bytes', () => bytes)
    bytes.fill(0)
    assertBytes(await store.get('bytes'), samplePattern(4))
    await assert.rejects(
      store.update('key', (old) => {
        tryTo(() => (old as { list: number[] }).list.push(4))
        throw new Error('changed its mind')
      }),
    )
    assert.deepEqual(await store.get('key'), { list: [1, 2] })
  }),
]
