// The engine of the API and the workers. They share a store and a queue.
import { createEngine } from '@harvestman/core'
import { bullQueue, redisStore } from '@harvestman/redis'

export interface EngineSettings {
  /** True if this process runs jobs; false if it only starts them. */
  readonly works: boolean
}

/**
 * Creates the engine with a store and a queue on the Redis at `REDIS_URL`. Close the engine first, then the queue and the
 * store.
 */
export function openEngine({ works }: EngineSettings) {
  const { REDIS_URL = 'redis://127.0.0.1:6379', ALLOW_PRIVATE } = process.env
  const store = redisStore(REDIS_URL)
  const queue = bullQueue(REDIS_URL)
  const engine = createEngine({
    store,
    queue,
    works,
    // Private networks that may be scraped, such as 127.0.0.1/32:8080. Default: none.
    allowPrivate: ALLOW_PRIVATE?.split(',') ?? [],
  })
  return { engine, store, queue }
}
