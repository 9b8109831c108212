import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeSemaphore, type Semaphore } from '@harvestman/toolbox/semaphore'
import type { Store } from '@harvestman/ports'

/** A store that queues writes fairly by team. Reads never wait. */
export interface StoreByTeam {
  of(team: string): Store
}

// Maximum number of concurrent writes, more than a store commits together.
const maxConcurrentWrites = 128
const spareWrites = 16
const maxCachedStores = 1_000
const never = new AbortController().signal

/**
 * Creates a store per team on one store. Teams take turns at writing, with a limit of `most` concurrent writes (default: 128),
 * so that a team with many writes does not delay the others. Keys are not separated by team.
 */
export function storeByTeam(store: Store, most = maxConcurrentWrites): StoreByTeam {
  const writes = makeSemaphore({ limit: most, spare: spareWrites })
  const known = recentlyUsed<string, Store>(maxCachedStores)
  return {
    of: (team) => {
      const made = known.get(team) ?? inTurns(store, team, writes)
      known.set(team, made)
      return made
    },
  }
}

function inTurns(store: Store, team: string, writes: Semaphore): Store {
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await writes.acquire(team, never)
    try {
      return await work()
    } finally {
      release()
    }
  }
  const { getMany, has, add, watch, scan, check, generation } = store
  return {
    reach: store.reach,
    get: (key) => store.get(key),
    set: (key, value, options) => write(() => store.set(key, value, options)),
    update: (key, change, options) => write(() => store.update(key, change, options)),
    delete: (key) => write(() => store.delete(key)),
    list: (prefix, options) => store.list(prefix, options),
    close: () => store.close(),
    ...(getMany && { getMany: (keys) => getMany.call(store, keys) }),
    ...(has && { has: (keys) => has.call(store, keys) }),
    ...(add && { add: (key, items, options) => write(() => add.call(store, key, items, options)) }),
    ...(watch && { watch: (key, changed) => watch.call(store, key, changed) }),
    ...(scan && { scan: (beginning) => scan.call(store, beginning) }),
    ...(check && { check: () => check.call(store) }),
    ...(generation && { generation: () => generation.call(store) }),
  }
}
