import assert from 'node:assert/strict'

import type { KeptEntry, Store } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { assertBytes, advanceClock, storeCase, type MakeStore } from './store-bench.ts'
import { keySamples, samplePattern } from './store-samples.ts'

/** Rules of the optional methods `add`, `watch` and `scan`, for stores that have them. */
export const seamRules: Contract<MakeStore> = [
  storeCase('what is added stands behind what was added before, and get gives all of it', async ({ store }) => {
    if (!store.add) return
    await store.add('list', [1, { two: [2] }])
    await store.add('list', ['drei ü "\\', null])
    await store.add('list', [])
    assert.deepEqual(await store.get('list'), [1, { two: [2] }, 'drei ü "\\', null])
    await store.add('none', [])
    await store.add('none', [[]])
    assert.deepEqual(await store.get('none'), [[]])
  }),
  storeCase('what is added joins a list that was set, and an update sees what was added', async ({ store }) => {
    if (!store.add) return
    await store.set('list', ['set'])
    await store.add('list', ['added'])
    assert.deepEqual(await store.update('list', (old) => [...(old as string[]), 'updated']), [
      'set',
      'added',
      'updated',
    ])
    await store.add('list', ['more'])
    assert.deepEqual(await store.get('list'), ['set', 'added', 'updated', 'more'])
    await store.delete('list')
    await store.add('list', ['anew'])
    assert.deepEqual(await store.get('list'), ['anew'])
  }),
  storeCase('nothing is added to what is no list, which stays as it was', async ({ store }) => {
    if (!store.add) return
    await store.set('text', 'text')
    await store.set('record', { list: [] })
    await store.set('bytes', samplePattern(4))
    for (const key of ['text', 'record', 'bytes']) await assert.rejects(store.add(key, [1]), key)
    assert.equal(await store.get('text'), 'text')
    assert.deepEqual(await store.get('record'), { list: [] })
    assertBytes(await store.get('bytes'), samplePattern(4))
  }),
  storeCase(
    'nothing is lost when a hundred add and update at once, and items of one call stay together',
    async (bench) => {
      const { store } = bench
      const add = store.add
      if (!add) return
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          index % 4 === 0
            ? store.update('list', (old) => [...((old as number[] | undefined) ?? []), index, index])
            : add.call(store, 'list', [index, index]),
        ),
      )
      const list = (await store.get('list')) as number[]
      assert.equal(list.length, 200)
      for (let at = 0; at < 200; at += 2) assert.equal(list[at], list[at + 1])
      assert.equal(new Set(list).size, 100)
    },
  ),
  storeCase('a list that is added to lives as long as its last ttl says', async (bench) => {
    const { store } = bench
    if (!store.add) return
    await store.add('list', [1], { ttl: 1000 })
    await advanceClock(bench, 600)
    await store.add('list', [2])
    await advanceClock(bench, 399)
    assert.deepEqual(await store.get('list'), [1, 2])
    await advanceClock(bench, 1)
    assert.equal(await store.get('list'), undefined, 'adding without a ttl renewed the one that the list had')
    await store.add('list', [3], { ttl: 1000 })
    await advanceClock(bench, 999)
    await store.add('list', [4], { ttl: 1000 })
    await advanceClock(bench, 999)
    assert.deepEqual(await store.get('list'), [3, 4])
    await advanceClock(bench, 1)
    await store.add('list', [4])
    assert.deepEqual(await store.get('list'), [4])
  }),
  storeCase('a watcher of a key is told of every way of writing it, and of none after stopping', async ({ store }) => {
    if (!store.watch) return
    const { told: notified, changed } = counter()
    const stop = await store.watch('key', changed)
    await notified(() => store.set('key', ['set']))
    await notified(() => store.update('key', () => ['updated']))
    await notified(() => store.add?.('key', ['added']) ?? store.set('key', 1))
    await notified(() => store.delete('key'))
    await stop()
    await assertSilent(store, changed)
  }),
  storeCase('several watch one key, each until it stops', async ({ store }) => {
    if (!store.watch) return
    const [one, other] = [counter(), counter()]
    const stop = await store.watch('key', one.changed)
    await store.watch('key', other.changed)
    await Promise.all([one.told(() => store.set('key', 1)), other.told(async () => undefined)])
    await stop()
    await stop()
    const before = one.changed.calls
    await other.told(() => store.set('key', 2))
    assert.equal(one.changed.calls, before, 'it was told after it had stopped')
  }),
  storeCase('a watcher that throws harms neither the write nor other watchers', async ({ store }) => {
    if (!store.watch) return
    const { told: notified, changed } = counter()
    await store.watch('key', () => {
      throw new Error('not now')
    })
    await store.watch('key', changed)
    await notified(() => store.set('key', 1))
    assert.equal(await store.get('key'), 1)
  }),
  storeCase('a scan gives every live entry whose key begins so, and no other', async (bench) => {
    const { store } = bench
    if (!store.scan) return
    for (const key of keySamples) await store.set(`scan/${key}`, key)
    for (let number = 0; number < 300; number += 1) await store.set(`scan/${number} of many`, { number })
    await store.set('scan/bytes', samplePattern(9), { ttl: 1000 })
    await store.set('scan/gone', 1, { ttl: 10 })
    for (const key of ['sca', 'scan', 'scan0', 'Scan/', 'scan%', 'x/scan/']) await store.set(key, 'not this one')
    await advanceClock(bench, 400)
    const found = await entriesOf(store, 'scan/')
    assert.equal(found.size, keySamples.length + 301)
    for (const key of keySamples) assert.equal(found.get(`scan/${key}`)?.value, key)
    assert.deepEqual(found.get('scan/299 of many'), { key: 'scan/299 of many', value: { number: 299 } })
    assertBytes(found.get('scan/bytes')?.value, samplePattern(9))
    assert.equal(found.get('scan/bytes')?.ttl, 600)
  }),
  storeCase('a scan of every key, of none and of a part of them', async ({ store }) => {
    if (!store.scan) return
    assert.equal((await entriesOf(store, '')).size, 0)
    for (const key of ['a', 'a*', 'a*b', 'a?', 'b', '[a]']) await store.set(key, 1)
    assert.deepEqual([...(await entriesOf(store, 'a*')).keys()].sort(), ['a*', 'a*b'])
    assert.equal((await entriesOf(store, '')).size, 6)
  }),
  storeCase('nothing is added, watched or scanned after closing', async ({ store }) => {
    await store.close()
    if (store.add) await assert.rejects(store.add('key', [1]))
    if (store.watch) await assert.rejects(store.watch('key', () => undefined))
    if (store.scan) await assert.rejects(entriesOf(store, ''))
  }),
]

async function entriesOf({ scan }: Store, beginning: string): Promise<Map<string, KeptEntry>> {
  const found = new Map<string, KeptEntry>()
  if (scan) for await (const entries of scan(beginning)) for (const entry of entries) found.set(entry.key, entry)
  return found
}

interface Changed {
  (): void
  readonly calls: number
}

const timeout = 5000

/**
 * Creates a counter of notifications: pass `changed` as the listener. A store may take a moment for one, by the system clock.
 * `told` runs a write, and rejects if no notification follows within 5 seconds.
 */
export function counter() {
  let calls = 0
  // Cast: the compiler does not see a property that is defined at run time.
  const changed = Object.defineProperty(() => void (calls += 1), 'calls', { get: () => calls }) as Changed
  const notified = async (write: () => Promise<unknown>): Promise<void> => {
    const before = calls
    const isNotified = (): boolean => calls > before
    await write()
    const end = performance.now() + timeout
    while (!isNotified()) {
      assert.ok(performance.now() < end, 'a write was not told')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  return { changed, told: notified }
}

/**
 * Asserts that a watcher was not notified: a second watcher is notified of a later write, so the first one would have been by
 * then.
 */
async function assertSilent(store: Store, changed: Changed): Promise<void> {
  const before = changed.calls
  const other = counter()
  await store.watch?.('key', other.changed)
  await other.told(() => store.set('key', 'later'))
  assert.equal(changed.calls, before, 'it was told after it had stopped')
}
