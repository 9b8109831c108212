import { EngineError } from '@harvestman/core'
import type { Store } from '@harvestman/ports'

/** A store that fails for good after so many calls, as one does whose process was killed. */
export function mortalStore(store: Store, calls: number): { readonly store: Store; readonly isDead: () => boolean } {
  let left = calls
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'close') return value
      return async (...given: unknown[]) => {
        if (left <= 0) throw new EngineError('store_failed', 'The process was killed.')
        left -= 1
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
  return { store: proxy, isDead: () => left <= 0 }
}
