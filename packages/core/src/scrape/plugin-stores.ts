import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import type { PluginStore } from '../plugin/store.ts'
import type { KeepOptions, Store } from '@harvestman/ports'
import { storeKeys } from '../keys.ts'

/** Separate areas of the store for plugins. */
export interface PluginStores {
  /** Returns the store of a plugin for a team. Without `mayKeep`, writes are ignored. */
  of(plugin: string, team: string, mayKeep: boolean): PluginStore
}

const maxCachedStores = 1_000

/**
 * Creates the plugin stores of an engine. Values expire after at most `longest` milliseconds. Without `mayKeep`, a store can be
 * read, and writes are ignored.
 */
export function makePluginStores(storeOf: (team: string) => Store, longest: number): PluginStores {
  // One object serves many pages, because it does not depend on the page.
  const known = recentlyUsed<string, PluginStore>(maxCachedStores)
  return {
    of: (plugin, team, mayKeep) => {
      const key = `${mayKeep} ${plugin.length} ${plugin}${team}`
      const found = known.get(key)
      if (found) return found
      const prefix = storeKeys.plugin(`${JSON.stringify([plugin, team])}/`)
      const corner = cornerOf(storeOf(team), prefix, longest, mayKeep)
      known.set(key, corner)
      return corner
    },
  }
}

function cornerOf(store: Store, prefix: string, longest: number, mayKeep: boolean): PluginStore {
  const bounded = (options: KeepOptions = {}): KeepOptions => ({
    ...options,
    ttl: Math.min(options.ttl ?? longest, longest),
  })
  const get: PluginStore['get'] = (key) => store.get(prefix + key)
  if (!mayKeep) {
    return {
      get,
      set: async () => undefined,
      update: async (key, change) => change(await get(key)),
      delete: async () => undefined,
    }
  }
  return {
    get,
    set: (key, value, options) => store.set(prefix + key, value, bounded(options)),
    update: (key, change, options) => store.update(prefix + key, change, bounded(options)),
    delete: (key) => store.delete(prefix + key),
  }
}
