import assert from 'node:assert/strict'

import type { Clock, Json, Store, Value } from '@harvestman/core/ports'

import type { Contract, ContractCase } from '../contract.ts'
import { handClock, type HandClock } from '../fakes/hand-clock.ts'
import { jsonSamples, keySamples, nearKeys, notValues, pattern } from './store-samples.ts'

/** Makes a fresh, empty store that tells the time by the clock given. */
export type MakeStore = (given: { readonly clock: Clock }) => Store | Promise<Store>

interface Bench {
  readonly store: Store
  readonly clock: HandClock
}

function rule(name: string, check: (bench: Bench) => Promise<void>): ContractCase<MakeStore> {
  const run = async (make: MakeStore) => {
    const clock = handClock()
    const store = await make({ clock })
    try {
      await check({ store, clock })
    } finally {
      await store.close()
    }
  }
  return { name, run }
}

const values: Contract<MakeStore> = [
  rule('an absent key gives undefined', async ({ store }) => {
    assert.equal(await store.get('absent'), undefined)
  }),
  rule('every kind of JSON comes back equal', async ({ store }) => {
    for (const [index, value] of jsonSamples.entries()) {
      await store.set(`json ${index}`, value)
      assert.deepEqual(await store.get(`json ${index}`), value)
    }
  }),
  rule('null is a value and not an absent key', async ({ store }) => {
    await store.set('null', null)
    assert.equal(await store.get('null'), null)
    assert.equal(await store.update('null', (old) => (old === null ? 'was null' : 'was absent')), 'was null')
  }),
  rule('a property that is undefined comes back absent', async ({ store }) => {
    await store.set('some', { a: 1, b: undefined })
    assert.deepEqual(await store.get('some'), { a: 1 })
  }),
  rule('bytes come back as the same bytes', async ({ store }) => {
    for (const bytes of [pattern(256), new Uint8Array(0), new TextEncoder().encode('{"a":1}')]) {
      await store.set('bytes', bytes)
      assertBytes(await store.get('bytes'), bytes)
    }
  }),
  rule('of a view on larger bytes only the view is kept', async ({ store }) => {
    const large = pattern(64)
    await store.set('view', large.subarray(10, 20))
    assertBytes(await store.get('view'), large.slice(10, 20))
    await store.set('view', Buffer.from(large.buffer, 30, 4))
    assertBytes(await store.get('view'), large.slice(30, 34))
  }),
  rule('a text of 16 MB comes back whole', async ({ store }) => {
    const text = 'harvestman ü '.repeat(1_200_000)
    await store.set('big', { text })
    const kept = (await store.get('big')) as { text: string }
    assert.ok(kept.text === text, 'the text is not the one that was set')
  }),
  rule('bytes of 16 MB come back whole', async ({ store }) => {
    const bytes = pattern(16_000_000)
    await store.set('big', bytes)
    assertBytes(await store.get('big'), bytes)
  }),
  rule('setting again replaces the value, also by one of another kind', async ({ store }) => {
    await store.set('key', { a: 1 })
    await store.set('key', pattern(3))
    assertBytes(await store.get('key'), pattern(3))
    await store.set('key', 'text')
    assert.equal(await store.get('key'), 'text')
  }),
  rule('of several sets that are under way for one key the last one wins', async ({ store }) => {
    await Promise.all([1, 2, 3, 4, 5].map((value) => store.set('key', value)))
    assert.equal(await store.get('key'), 5)
  }),
  rule('a thousand keys that are set at once are all kept', async ({ store }) => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    await Promise.all(numbers.map((number) => store.set(`key ${number}`, number)))
    const kept = await Promise.all(numbers.map((number) => store.get(`key ${number}`)))
    assert.deepEqual(kept, numbers)
  }),
  rule('what is neither JSON nor bytes is refused, and what was kept before stays', async ({ store }) => {
    await store.set('key', 'before')
    for (const value of notValues()) await assert.rejects(store.set('key', value as Value))
    await assert.rejects(store.update('key', () => 10n as never))
    assert.equal(await store.get('key'), 'before')
  }),
]

const apart: Contract<MakeStore> = [
  rule('odd keys are keys like others', async ({ store }) => {
    for (const key of keySamples) await store.set(key, `value of ${key}`)
    for (const key of keySamples) assert.equal(await store.get(key), `value of ${key}`, JSON.stringify(key))
    for (const key of keySamples) await store.delete(key)
    for (const key of keySamples) assert.equal(await store.get(key), undefined, JSON.stringify(key))
  }),
  rule('keys that look alike do not touch each other', async ({ store }) => {
    for (const key of nearKeys) await store.set(key, key)
    for (const key of nearKeys) {
      await store.delete(key)
      await store.update(key, (old) => old ?? 'anew')
      for (const other of nearKeys) assert.equal(await store.get(other), other === key ? 'anew' : other)
      await store.set(key, key)
    }
  }),
  rule('changing what was given to set does not change what is kept', async ({ store }) => {
    const given = { list: [1, 2] }
    const bytes = pattern(4)
    await Promise.all([store.set('json', given), store.set('bytes', bytes)])
    given.list.push(3)
    bytes.fill(0)
    assert.deepEqual(await store.get('json'), { list: [1, 2] })
    assertBytes(await store.get('bytes'), pattern(4))
  }),
  rule('changing what get gave does not change what is kept', async ({ store }) => {
    await store.set('json', { list: [1, 2] })
    await store.set('bytes', pattern(4))
    const [json, bytes] = [await store.get('json'), await store.get('bytes')]
    tryTo(() => (json as { list: number[] }).list.push(3))
    tryTo(() => (bytes as Uint8Array).fill(0))
    assert.deepEqual(await store.get('json'), { list: [1, 2] })
    assertBytes(await store.get('bytes'), pattern(4))
  }),
  rule('changing what update was given or gave does not change what is kept', async ({ store }) => {
    await store.set('key', { list: [1] })
    const written = await store.update('key', (old) => ({ list: [...(old as { list: number[] }).list, 2] }))
    tryTo(() => (written as { list: number[] }).list.push(3))
    await assert.rejects(
      store.update('key', (old) => {
        tryTo(() => (old as { list: number[] }).list.push(4))
        throw new Error('changed its mind')
      }),
    )
    assert.deepEqual(await store.get('key'), { list: [1, 2] })
  }),
]

const times: Contract<MakeStore> = [
  rule('a value is gone after its ttl, and not before', async (bench) => {
    await bench.store.set('key', 'value', { ttl: 1000 })
    await pass(bench, 999)
    assert.equal(await bench.store.get('key'), 'value')
    await pass(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  rule('bytes are gone after their ttl too', async (bench) => {
    await bench.store.set('key', pattern(8), { ttl: 1000 })
    await pass(bench, 999)
    assertBytes(await bench.store.get('key'), pattern(8))
    await pass(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  rule('a value without a ttl stays', async (bench) => {
    await bench.store.set('key', 'value')
    await pass(bench, 10 * 365 * 86_400_000)
    assert.equal(await bench.store.get('key'), 'value')
  }),
  rule('setting again with a ttl starts it anew', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await pass(bench, 600)
    await bench.store.set('key', 2, { ttl: 1000 })
    await pass(bench, 600)
    assert.equal(await bench.store.get('key'), 2)
    await pass(bench, 400)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  rule('setting again without a ttl makes the value stay', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await bench.store.set('key', 2)
    await pass(bench, 5000)
    assert.equal(await bench.store.get('key'), 2)
  }),
  rule('an update with a ttl starts it anew', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await pass(bench, 600)
    await bench.store.update('key', () => 2, { ttl: 1000 })
    await pass(bench, 999)
    assert.equal(await bench.store.get('key'), 2)
    await pass(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  rule('an update without a ttl lets the one that the key has run on', async (bench) => {
    await bench.store.set('key', 1, { ttl: 1000 })
    await pass(bench, 600)
    await bench.store.update('key', () => 2)
    await pass(bench, 399)
    assert.equal(await bench.store.get('key'), 2)
    await pass(bench, 1)
    assert.equal(await bench.store.get('key'), undefined)
  }),
  rule('an update sees a value whose ttl has passed as absent', async (bench) => {
    await bench.store.set('key', 'old', { ttl: 1000 })
    await pass(bench, 1000)
    assert.equal(await bench.store.update('key', (old) => (old === undefined ? 'absent' : 'there')), 'absent')
    await pass(bench, 100_000)
    assert.equal(await bench.store.get('key'), 'absent')
  }),
  rule('a value that is set where another one has expired stays', async (bench) => {
    await bench.store.set('key', 'old', { ttl: 1000 })
    await pass(bench, 2000)
    await Promise.all([bench.store.get('key'), bench.store.set('key', 'new'), bench.store.get('key')])
    assert.equal(await bench.store.get('key'), 'new')
  }),
  rule('a ttl of nothing means gone at once', async (bench) => {
    await bench.store.set('key', 'value', { ttl: 0 })
    assert.equal(await bench.store.get('key'), undefined)
    await bench.store.set('key', 'value')
    await bench.store.update('key', () => 'other', { ttl: -5 })
    assert.equal(await bench.store.get('key'), undefined)
  }),
]

const steps: Contract<MakeStore> = [
  rule('an update reads, changes and resolves to what it wrote', async ({ store }) => {
    assert.deepEqual(await store.update('key', (old) => ({ old: (old as Json | undefined) ?? 'absent' })), {
      old: 'absent',
    })
    assert.deepEqual(await store.update('key', (old) => ({ old: (old as Json | undefined) ?? 'absent' })), {
      old: { old: 'absent' },
    })
    assert.deepEqual(await store.get('key'), { old: { old: 'absent' } })
    assertBytes(await store.update('key', () => pattern(5)), pattern(5))
    assertBytes(await store.update('key', (old) => (old as Uint8Array).slice(1)), pattern(5).slice(1))
    assertBytes(await store.get('key'), pattern(5).slice(1))
  }),
  rule('no increment is lost when 200 race', async ({ store }) => {
    const written = await Promise.all(Array.from({ length: 200 }, () => store.update('count', increment)))
    assert.equal(await store.get('count'), 200)
    assert.equal(new Set(written).size, 200)
  }),
  rule('no increment is lost when some throw and some change nothing', async ({ store }) => {
    const updates = Array.from({ length: 90 }, (_, index) =>
      store.update('count', (old) => {
        if (index % 3 === 0) throw new Error('changed its mind')
        return index % 3 === 1 ? old : increment(old)
      }),
    )
    await Promise.allSettled(updates)
    assert.equal(await store.get('count'), 30)
  }),
  rule('a set or a delete that races with an update is not lost', async ({ store }) => {
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
  rule('an update that gives undefined removes the key', async ({ store }) => {
    await store.set('key', 'value')
    assert.equal(await store.update('key', () => undefined), undefined)
    assert.equal(await store.get('key'), undefined)
    assert.equal(await store.update('absent', () => undefined), undefined)
    assert.equal(await store.get('absent'), undefined)
  }),
  rule('an update that throws rejects with that error and changes nothing', async ({ store }) => {
    await store.set('key', 'value')
    const error = new Error('changed its mind')
    const change = () => {
      throw error
    }
    await assert.rejects(store.update('key', change), (seen) => seen === error)
    assert.equal(await store.get('key'), 'value')
    assert.equal(await store.update('key', () => 'next'), 'next')
  }),
  rule('an update that gives what it was given writes nothing', async (bench) => {
    await bench.store.set('json', { a: 1 }, { ttl: 1000 })
    await bench.store.set('bytes', pattern(3), { ttl: 1000 })
    await pass(bench, 600)
    assert.deepEqual(await bench.store.update('json', (old) => old, { ttl: 1000 }), { a: 1 })
    assertBytes(await bench.store.update('bytes', (old) => old, { ttl: 1000 }), pattern(3))
    await pass(bench, 400)
    assert.equal(await bench.store.get('json'), undefined, 'the value was written, for its ttl was renewed')
    assert.equal(await bench.store.get('bytes'), undefined, 'the value was written, for its ttl was renewed')
  }),
  rule('a delete removes, and succeeds when the key is absent', async ({ store }) => {
    await store.set('key', 'value')
    await store.delete('key')
    assert.equal(await store.get('key'), undefined)
    await store.delete('key')
    await store.delete('never there')
  }),
]

const rest: Contract<MakeStore> = [
  rule('many keys are read in their order, absent and repeated ones too', async (bench) => {
    const { store } = bench
    if (!store.getMany) return
    await store.set('a', 1)
    await store.set('b', pattern(2))
    await store.set('c', null)
    await store.set('gone', 'value', { ttl: 10 })
    await pass(bench, 10)
    const [c, absent, a, gone, b, again] = await store.getMany(['c', 'absent', 'a', 'gone', 'b', 'a'])
    assert.deepEqual([c, absent, a, gone, again], [null, undefined, 1, undefined, 1])
    assertBytes(b, pattern(2))
    assert.deepEqual(await store.getMany([]), [])
  }),
  rule('closing lets pending writes finish', async ({ store }) => {
    const writes = [store.set('a', 1), store.update('b', () => 2), store.delete('c')]
    await store.close()
    const outcomes = await Promise.allSettled(writes)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled'],
    )
  }),
  rule('every call after closing rejects, but closing again', async ({ store }) => {
    await store.set('key', 'value')
    await store.close()
    await assert.rejects(store.get('key'))
    await assert.rejects(store.set('key', 'value'))
    await assert.rejects(store.update('key', () => 'value'))
    await assert.rejects(store.delete('key'))
    if (store.getMany) await assert.rejects(store.getMany(['key']))
    await store.close()
  }),
  rule('says how far its update reaches', async ({ store }) => {
    assert.ok(store.reach === 'process' || store.reach === 'shared')
  }),
]

/** The rules of the `Store` port. */
export const storeContract: Contract<MakeStore> = [...values, ...apart, ...times, ...steps, ...rest]

const increment = (old: Value | undefined) => ((old as number | undefined) ?? 0) + 1

async function pass({ clock }: Bench, ms: number): Promise<void> {
  assert.ok(clock.reads > 0, 'The store never asked the clock that it was given. Make it with `clock`.')
  await clock.pass(ms)
}

function assertBytes(actual: Value | undefined, expected: Uint8Array): void {
  assert.ok(actual instanceof Uint8Array, `Bytes were expected, not ${typeof actual}.`)
  assert.equal(actual.length, expected.length)
  assert.equal(Buffer.compare(actual, expected), 0, 'the bytes are not the ones that were set')
}

// What was given may be frozen: then trying to change it throws, which is as good.
function tryTo(change: () => unknown): void {
  try {
    change()
  } catch (error) {
    assert.ok(error instanceof TypeError)
  }
}
