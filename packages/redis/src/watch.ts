import { keyWatchers } from '@harvestman/ports/stores'
import type { Stop } from '@harvestman/ports'

import type { Link } from './client.ts'

export interface WatchedRedis {
  watch(key: string, changed: () => void): Promise<Stop>
  close(): void
}

// Milliseconds between pings, which detect dead connections.
const askEvery = 15_000

/**
 * Creates the watchers of keys, over a separate connection, which is opened for the first one. `watch` rejects if Redis is not
 * available. After a lost connection all watchers are called.
 */
export function watchRedis(
  connect: () => Link,
  names: { of(key: string): string; keyOf(name: string): string },
): WatchedRedis {
  let link: Link | undefined
  let asking: NodeJS.Timeout | undefined
  const watchers = keyWatchers({
    ended: (key) => void link?.run((redis) => redis.unsubscribe(names.of(key))).catch(() => undefined),
  })
  const open = (): Link => {
    const opened = connect()
    opened.redis.on('message', (name: string) => watchers.tell(names.keyOf(name)))
    opened.onReady(() => {
      const all = [...watchers.keys.keys()].map(names.of)
      if (all.length === 0) return
      // Notifications sent while disconnected were lost, so all watchers are called.
      opened.redis.subscribe(...all).then(watchers.tellAll, () => opened.redis.disconnect(true))
    })
    asking = setInterval(() => {
      if (opened.redis.status === 'ready') opened.redis.ping().catch(() => opened.redis.disconnect(true))
    }, askEvery).unref()
    return opened
  }
  return {
    watch: async (key, changed) => {
      link ??= open()
      await link.run((redis) => redis.subscribe(names.of(key)))
      return watchers.add(key, changed)
    },
    close: () => {
      watchers.clear()
      clearInterval(asking)
      link?.close()
    },
  }
}
