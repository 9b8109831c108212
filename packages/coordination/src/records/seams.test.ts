import { brokenStore, gate, handClock } from '@harvestman/testing'
import { describe, expect, test, vi } from 'vitest'

import { EngineError, type Store } from '@harvestman/ports'
import { packParcel } from '@harvestman/toolbox/parcel'
import { memoryStore } from '@harvestman/testing'
import { layout } from './layout.ts'
import { lease, leaseWatch } from './lease.ts'
import { addToList } from './list.ts'
import { openLog } from './log.ts'
import { watchKey } from './watch.ts'

/** A store as the port asks for it, without what it may leave out. */
function plain(): Store {
  const { reach, get, set, update, delete: remove, list, close } = memoryStore()
  return { reach, get, set, update, delete: remove, list, close }
}

const stores: Readonly<Record<string, () => Store>> = { 'a store with all seams': memoryStore, 'a plain store': plain }

describe.each(Object.entries(stores))('on %s', (_, make) => {
  test('a list grows by what is added, with its ttl', async () => {
    const store = make()
    await addToList(store, 'list', [1], { ttl: 1000 })
    await addToList(store, 'list', [2, 3])
    expect(await store.get('list')).toEqual([1, 2, 3])
  })

  test('a watched key has the caller look when it was written, until it stops', async () => {
    const store = make()
    const { opened, open } = gate()
    const changed = vi.fn(open)
    const stop = await watchKey(store, 'key', changed, { every: 5 })
    await store.set('key', 1)
    await opened
    await stop()
    const { length } = changed.mock.calls
    await store.set('key', 2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(changed.mock.calls.length).toBe(length)
  })
})

test('a store that tells nothing, though it says so, is looked at all the same', async () => {
  const { opened, open } = gate()
  const store = brokenStore('watchers are told nothing')({ clock: handClock() })
  const stop = await watchKey(store, 'key', open, { every: 1 })
  await opened
  await stop()
})

test('a store that cannot be watched now is looked at as often as one that never can', async () => {
  const { opened, open } = gate()
  const store: Store = { ...memoryStore(), watch: () => Promise.reject(new Error('away')) }
  const stop = await watchKey(store, 'key', open, { every: 1 })
  await opened
  await stop()
})

describe('a record of a newer layout is refused by name:', () => {
  const refusal = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((error: unknown) => error)
    return EngineError.is(error) ? [error.code, error.message, error.details] : error
  }

  test('a lease, which is left as it is', async () => {
    const store = memoryStore()
    const kept = { owner: 'newer', token: 7, isFree: true, layout: 9 }
    await store.set('job', kept)
    const ask = lease(store, 'job', { owner: 'me', ttl: 10, watch: leaseWatch(handClock()) })
    expect(await refusal(ask)).toEqual([
      'newer_version',
      'The lease "job" was written by a newer version (layout 9, and this one reads up to 1). Use that version on this store, or another store.',
      { found: 9, newest: 1 },
    ])
    expect(await store.get('job')).toEqual(kept)
  })

  test('a segment of a log; and one of the first layout is read', async () => {
    const store = memoryStore()
    const log = openLog(store, 'job', () => ({}))
    await store.set('job/log/0', packParcel({ by: 'the first version' }, [Buffer.from('body')]))
    await store.set('job/log/1', packParcel({ layout: 9, head: {} }, []))
    expect(await log.append(2, { head: { by: 'me' }, body: [] })).toBe(true)
    expect((await log.read(0))?.head).toEqual({ by: 'the first version' })
    expect((await log.read(2))?.head).toEqual({ by: 'me' })
    expect(await refusal(log.read(1))).toEqual([
      'newer_version',
      'The segment "job/log/1" was written by a newer version (layout 9, and this one reads up to 5). Use that version on this store, or another store.',
      { found: 9, newest: 5 },
    ])
  })

  test('any record; and one without a number is of the first layout', () => {
    const { seal, open } = layout<{ readonly a: number }>(2, { a: 'number' })
    expect(open('It', seal({ a: 1 }))).toEqual({ a: 1 })
    expect(open('It', { a: 1 })).toEqual({ a: 1 })
    expect(open('It', undefined)).toBeUndefined()
    expect(() => open('It', { a: 1, layout: 3 })).toThrow('It was written by a newer version')
  })

  test.each([{}, { a: '1' }, { a: null }, [], 'a', null])(
    'that was damaged is refused, or made anew: %j',
    (damaged) => {
      const { open, openWhole } = layout<{ readonly a: number }>(2, { a: 'number' })
      expect(() => open('It', damaged)).toThrow('The store is damaged: It has changed since it was written.')
      expect(openWhole('It', damaged)).toBeUndefined()
    },
  )
})
