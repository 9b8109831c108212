import assert from 'node:assert/strict'

import type { Clock, Store } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { handClock } from '../fakes/hand-clock.ts'
import { counter } from './store-seams.ts'

/** Returns a function that opens stores on one backend; the backend is empty for each case. */
export type MakeBackend = (given: { readonly clock: Clock }) => Backend | Promise<Backend>

/** The backend of stores. */
export interface Backend {
  open(): Store | Promise<Store>
  /** Removes the backend after the case. */
  remove?(): unknown
}

/** Creates a store whose backend can be made to fail: from `fail` until `heal`, no write can succeed. */
export type MakeFailing = (given: { readonly clock: Clock }) => Failing | Promise<Failing>

/** A store whose backend can be made to fail and to recover. */
export interface Failing {
  readonly store: Store
  fail(): unknown
  heal(): unknown
}

function onBackend(name: string, check: (open: () => Promise<Store>, pass: (ms: number) => Promise<void>) => unknown) {
  const run = async (make: MakeBackend) => {
    const clock = handClock()
    const backend = await make({ clock })
    const stores: Store[] = []
    const open = async () => {
      const store = await backend.open()
      stores.push(store)
      return store
    }
    try {
      await check(open, clock.pass)
    } finally {
      await Promise.all(stores.map((store) => store.close()))
      await backend.remove?.()
    }
  }
  return { name, run }
}

/** Additional rules of a store that outlives its process. */
export const durableStoreContract: Contract<MakeBackend> = [
  onBackend('what was kept is there when the store is opened again', async (open) => {
    const before = await open()
    await before.set('json', { a: [1, 'ü'] })
    await before.set('bytes', new Uint8Array([0, 1, 255]))
    await before.update('count', () => 7)
    await before.set('list/b', 8)
    await before.update('list/a', () => 9)
    await before.set('deleted', 1)
    await before.delete('deleted')
    await before.close()
    const after = await open()
    assert.deepEqual(await after.get('json'), { a: [1, 'ü'] })
    assert.deepEqual([...((await after.get('bytes')) as Uint8Array)], [0, 1, 255])
    assert.equal(await after.get('count'), 7)
    assert.equal(await after.get('deleted'), undefined)
    const listed = [
      { key: 'list/a', value: 9 },
      { key: 'list/b', value: 8 },
    ]
    assert.deepEqual(await after.list('list/', { limit: 9 }), listed)
  }),
  onBackend('a write that closing waited for is there when the store is opened again', async (open) => {
    const before = await open()
    const written = before.set('key', 'value')
    await before.close()
    await written
    assert.equal(await (await open()).get('key'), 'value')
  }),
  onBackend('a ttl runs on while the store is closed', async (open, pass) => {
    const before = await open()
    await before.set('key', 'value', { ttl: 1000 })
    await before.close()
    await pass(999)
    const between = await open()
    assert.equal(await between.get('key'), 'value')
    await between.close()
    await pass(1)
    assert.equal(await (await open()).get('key'), undefined)
  }),
]

/** Additional rules of a store whose `reach` is `shared`. */
export const sharedStoreContract: Contract<MakeBackend> = [
  onBackend('says that it is shared', async (open) => {
    assert.equal((await open()).reach, 'shared')
  }),
  onBackend('what one store keeps another one gives', async (open) => {
    const [one, other] = [await open(), await open()]
    await one.set('key', 'value')
    assert.equal(await other.get('key'), 'value')
    await other.delete('key')
    assert.equal(await one.get('key'), undefined)
  }),
  onBackend('no increment is lost when the updates of three stores race', async (open) => {
    const stores = [await open(), await open(), await open()]
    const race = stores.flatMap((store) =>
      Array.from({ length: 50 }, () => store.update('count', (old) => ((old as number | undefined) ?? 0) + 1)),
    )
    const written = await Promise.all(race)
    assert.equal(await stores[0]?.get('count'), 150)
    assert.equal(new Set(written).size, 150)
  }),
  onBackend('nothing is lost when two stores add to one list', async (open) => {
    const stores = [await open(), await open()]
    const add = async (store: Store, item: number) => store.add?.('list', [item])
    await Promise.all(stores.flatMap((store, of) => Array.from({ length: 50 }, (_, at) => add(store, of * 50 + at))))
    const list = (await stores[0]?.get('list')) as number[] | undefined
    if (stores[0]?.add) assert.equal(new Set(list).size, 100)
  }),
  onBackend('who watches a key is told what another store writes', async (open) => {
    const [one, other] = [await open(), await open()]
    const { told, changed } = counter()
    const stop = await one.watch?.('key', changed)
    if (!stop) return
    await told(() => other.set('key', 'value'))
    await told(() => other.update('key', () => 'next'))
    await told(() => other.delete('key'))
    await stop()
  }),
  onBackend('a list has what another store keeps, and not what that one has deleted', async (open) => {
    const [one, other] = [await open(), await open()]
    await one.set('list/a', 1)
    await other.set('list/b', 2)
    await one.set('list/c', 3)
    await other.delete('list/a')
    const left = [
      { key: 'list/b', value: 2 },
      { key: 'list/c', value: 3 },
    ]
    for (const store of [one, other]) assert.deepEqual(await store.list('list/', { limit: 9 }), left)
  }),
  onBackend('a scan gives what another store keeps', async (open) => {
    const [one, other] = [await open(), await open()]
    await one.set('key', 'value')
    if (!other.scan) return
    for await (const entries of other.scan(''))
      for (const entry of entries) assert.deepEqual(entry, { key: 'key', value: 'value' })
  }),
]

function onFailing(name: string, check: (failing: Failing) => Promise<void>) {
  const run = async (make: MakeFailing) => {
    const failing = await make({ clock: handClock() })
    try {
      await check(failing)
    } finally {
      await failing.heal()
      await failing.store.close()
    }
  }
  return { name, run }
}

/** The rules of a store whose backend fails: it reports each failure, and works again afterwards. */
export const failingStoreContract: Contract<MakeFailing> = [
  onFailing('a write that could not be made rejects', async ({ store, fail }) => {
    await store.set('key', 'before')
    await fail()
    await assert.rejects(store.set('key', 'value'))
    await assert.rejects(store.update('key', () => 'value'))
    await assert.rejects(store.delete('key'))
  }),
  onFailing('of many writes under way at once each one rejects', async ({ store, fail }) => {
    await fail()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => store.set(`key ${index}`, index)),
    )
    assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['rejected'])
  }),
  onFailing('what was kept before the failure is there after it, and writing works again', async (failing) => {
    const { store, fail, heal } = failing
    await store.set('key', 'before')
    await fail()
    await assert.rejects(store.update('key', () => 'during'))
    await heal()
    assert.equal(await store.get('key'), 'before')
    await store.set('key', 'after')
    assert.equal(await store.get('key'), 'after')
  }),
]
