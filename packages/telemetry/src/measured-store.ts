import type { Store } from '@harvestman/ports'

import type { storeCalls } from './families.ts'

/** A method of a store that is measured. */
export type StoreCall = (typeof storeCalls)[number]

/**
 * Wraps a store so that calls are reported with their duration, in milliseconds; `has` is reported as `getMany`. Calls of
 * `watch`, `scan`, `check`, `generation` and `close` are not reported. Errors are passed on unchanged.
 */
export function measuredStore(store: Store, onCall: (call: StoreCall, ms: number, hasFailed: boolean) => void): Store {
  const measure = async <T>(call: StoreCall, work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    try {
      const result = await work()
      onCall(call, performance.now() - began, false)
      return result
    } catch (error) {
      onCall(call, performance.now() - began, true)
      throw error
    }
  }
  const { getMany, has, add, watch, scan, check, generation } = store
  return {
    reach: store.reach,
    get: (key) => measure('get', () => store.get(key)),
    set: (key, value, options) => measure('set', () => store.set(key, value, options)),
    update: (key, change, options) => measure('update', () => store.update(key, change, options)),
    delete: (key) => measure('delete', () => store.delete(key)),
    list: (prefix, options) => measure('list', () => store.list(prefix, options)),
    close: () => store.close(),
    ...(getMany && { getMany: (keys) => measure('getMany', () => getMany.call(store, keys)) }),
    ...(has && { has: (keys) => measure('getMany', () => has.call(store, keys)) }),
    ...(add && { add: (key, items, options) => measure('add', () => add.call(store, key, items, options)) }),
    ...(watch && { watch: (key, changed) => watch.call(store, key, changed) }),
    ...(scan && { scan: (beginning) => scan.call(store, beginning) }),
    ...(check && { check: () => check.call(store) }),
    ...(generation && { generation: () => generation.call(store) }),
  }
}
