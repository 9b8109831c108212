import { keyWatchers } from '@harvestman/ports/adapters'
import type { Stop } from '@harvestman/ports'

import type { Link } from './client.ts'

export interface WatchedRedis {
  watch(key: string, changed: () => void): Promise<Stop>
  close(): void
}

// A connection that is dead and does not know it is found by asking over it.
const askEvery = 15_000

/** Watches keys over a connection of its own, which is opened for the first of them. */
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
      // What was written meanwhile was told to a connection that was not there.
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
