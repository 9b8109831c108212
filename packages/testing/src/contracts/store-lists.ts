import assert from 'node:assert/strict'

import type { ListOptions, Store } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { assertBytes, advanceClock, storeCase, type MakeStore } from './store-bench.ts'
import { keySamples, nearKeys, samplePattern } from './store-samples.ts'

/** Content and order of `list`. */
export const listRules: Contract<MakeStore> = [
  storeCase(
    'a list has the entries whose keys begin so, in the order of the code points of their keys, and no other',
    async (bench) => {
      const { store } = bench
      const far = ['\ue000', '\uffff', '🌾', '🌾🌾', 'a🌾', '\ud7ff']
      const wanted = [...new Set([...keySamples, ...nearKeys, ...far])].map((key) => `list/of/${key}`)
      for (const key of wanted) await store.set(key, { key })
      for (const key of ['list', 'list/', 'list/o', 'list/of', 'list/of0', 'list/Of/a', 'list/p', 'x/list/of/a', 'a'])
        await store.set(key, 'not this one')
      const found = await store.list('list/of/', { limit: 1000 })
      assert.deepEqual(
        found,
        wanted.toSorted(byCodePoints).map((key) => ({ key, value: { key } })),
      )
      assert.deepEqual(await store.list('list/of/a*', { limit: 1000 }), [
        { key: 'list/of/a*', value: { key: 'list/of/a*' } },
      ])
      assert.deepEqual(await store.list('list/none/', { limit: 1000 }), [])
    },
  ),
  storeCase(
    'a list is read in pages, forth and back, each entry once and no page longer than was asked',
    async ({ store }) => {
      const keys = Array.from({ length: 100 }, (_, number) => `list/${String(number).padStart(3, '0')}`)
      for (const key of keys.toReversed()) await store.set(key, key)
      for (const limit of [1, 7, 100, 1000]) {
        assert.deepEqual(await walk(store, 'list/', { limit }), keys)
        assert.deepEqual(await walk(store, 'list/', { limit, isReverse: true }), keys.toReversed())
      }
      assert.deepEqual(await walk(store, 'list/04', { limit: 3, isReverse: true }), keys.slice(40, 50).toReversed())
    },
  ),
  storeCase('a list goes on behind a key that is gone, or never was in it', async ({ store }) => {
    for (const key of ['list/a', 'list/c', 'list/e']) await store.set(key, 1)
    await store.delete('list/c')
    const from = async (after: string, isReverse = false) =>
      keysOf(await store.list('list/', { limit: 9, after, isReverse }))
    assert.deepEqual(await from('list/c'), ['list/e'])
    assert.deepEqual(await from('list/c', true), ['list/a'])
    assert.deepEqual(await from('a'), ['list/a', 'list/e'])
    assert.deepEqual(await from('z'), [])
    assert.deepEqual(await from('z', true), ['list/e', 'list/a'])
    assert.deepEqual(await from('a', true), [])
  }),
  storeCase('a list has what was written in any way, and nothing that was removed in any way', async ({ store }) => {
    await store.set('list/set', 1)
    await store.set('list/bytes', samplePattern(9))
    await store.update('list/updated', () => 2)
    await store.update('list/new', () => 3, { isNew: true })
    await store.add?.('list/added', [4])
    for (const key of ['list/deleted', 'list/dropped', 'list/short', 'list/again']) await store.set(key, 5)
    await store.delete('list/deleted')
    await store.update('list/dropped', () => undefined)
    await store.set('list/short', 5, { ttl: 0 })
    await store.delete('list/again')
    await store.set('list/again', 6)
    await store.update('list/never', () => undefined)
    const found = new Map((await store.list('list/', { limit: 1000 })).map(({ key, value }) => [key, value]))
    assertBytes(found.get('list/bytes'), samplePattern(9))
    found.delete('list/bytes')
    const added = store.add ? [['list/added', [4]]] : []
    assert.deepEqual([...found], [...added, ['list/again', 6], ['list/new', 3], ['list/set', 1], ['list/updated', 2]])
  }),
  storeCase(
    'a list has no entry whose ttl has passed, and a page is full where there are more behind such',
    async (bench) => {
      const { store } = bench
      for (let number = 10; number < 60; number += 1)
        await store.set(`list/${number}`, number, number % 5 === 0 ? {} : { ttl: 10 })
      await store.set('list/70', 70, { ttl: 10 })
      await store.update('list/70', () => 71, { ttl: 1000 })
      await store.set('list/80', 80, { ttl: 10 })
      await store.set('list/80', 81)
      await advanceClock(bench, 10)
      const left = ['10', '15', '20', '25', '30', '35', '40', '45', '50', '55', '70', '80'].map(
        (number) => `list/${number}`,
      )
      assert.deepEqual(keysOf(await store.list('list/', { limit: 4 })), left.slice(0, 4))
      assert.deepEqual(await walk(store, 'list/', { limit: 4 }), left)
      assert.deepEqual(await walk(store, 'list/', { limit: 5, isReverse: true }), left.toReversed())
      await advanceClock(bench, 990)
      assert.deepEqual(keysOf(await store.list('list/7', { limit: 4 })), [])
    },
  ),
  storeCase('what is there all the while is in every list, whatever comes and goes meanwhile', async ({ store }) => {
    const stay = Array.from({ length: 20 }, (_, number) => `list/${number} stays`)
    for (const key of stay) await store.set(key, 1)
    const write = async (number: number): Promise<void> => {
      await store.set(`list/${number} comes`, 1)
      await store.update(`list/${number % 20} stays`, (old) => (old as number) + 1)
      await store.delete(`list/${number} comes`)
    }
    const writing = Promise.all(Array.from({ length: 100 }, (_, number) => write(number)))
    const lists = await Promise.all(Array.from({ length: 20 }, () => walk(store, 'list/', { limit: 3 })))
    await writing
    for (const keys of lists)
      assert.deepEqual(
        keys.filter((key) => key.endsWith('stays')),
        stay.toSorted(byCodePoints),
      )
    assert.deepEqual(await walk(store, 'list/', { limit: 1000 }), stay.toSorted(byCodePoints))
  }),
  storeCase('changing what a list gave changes nothing that is kept', async ({ store }) => {
    await store.set('list/a', { deep: [1] })
    const [entry] = await store.list('list/', { limit: 1 })
    const value = entry?.value as { deep: number[] }
    value.deep.push(2)
    assert.deepEqual(await store.list('list/', { limit: 1 }), [{ key: 'list/a', value: { deep: [1] } }])
  }),
]

function byCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function keysOf(entries: Awaited<ReturnType<Store['list']>>): readonly string[] {
  return entries.map(({ key }) => key)
}

/** Returns the keys of all pages, up to the first page that is not full. */
async function walk(store: Store, prefix: string, options: ListOptions): Promise<readonly string[]> {
  const found: string[] = []
  for (;;) {
    const page = keysOf(await store.list(prefix, { ...options, after: found.at(-1) }))
    assert.ok(page.length <= options.limit, `There are ${page.length} entries in a page of ${options.limit}.`)
    found.push(...page)
    if (page.length < options.limit) return found
  }
}
