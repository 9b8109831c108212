import { listedKeys, type ListOptions, type Value } from '@harvestman/ports'
import { fillPage, listBounds } from '@harvestman/ports/stores'

import type { Link, ScriptedRedis } from './client.ts'
import { redisFailed } from './errors.ts'

/** Writes keys, and lists those with the prefix `listedKeys`. */
export interface Listing {
  /** Writes a key; if it is listed, its index entry is written in the same transaction. */
  write<T>(key: string, work: (redis: ScriptedRedis) => Promise<T>): Promise<T>
  list(prefix: string, options: ListOptions, open: Opened): ReturnType<typeof fillPage>
}

type Opened = (key: string, kept: Buffer | null | undefined) => { readonly value: Value } | undefined

/**
 * Creates the functions that write keys so that they can be listed by prefix, and that list them. They reject with
 * `store_failed`. The server has no ordered keys, and finding some would mean reading all names. So there is a sorted set of
 * the listed keys, and one of their expiry times; later writes remove expired keys from both.
 */
export function listingOn(link: Link, prefix: string): Listing {
  const [index, ends] = [`index:${prefix}`, `index-ends:${prefix}`]
  return {
    write: (key, work) => {
      if (!key.startsWith(listedKeys)) return link.run(work)
      return link.run(async (redis) => {
        const step = redis.multi()
        // Cast: a transaction accepts the same commands as the client, but returns their results when it is executed.
        const queued = step as unknown as ScriptedRedis
        void work(queued)
        void queued.harvestmanIndex(prefix + key, index, ends, key)
        const results = (await step.exec()) ?? []
        const failed = results.find(([error]) => error)
        if (failed) throw redisFailed(failed[0])
        // Cast: the first result belongs to the work, which is a single command.
        return results[0]?.[1] as Awaited<ReturnType<typeof work>>
      })
    },
    list: (wanted, options, open) =>
      fillPage(options, (part) =>
        link.run(async (redis) => {
          const { from, to } = listBounds(wanted, part)
          const [first, end] = [`[${from}`, to === undefined ? '+' : `(${to}`]
          const keys = await (part.isReverse
            ? redis.zrevrangebylex(index, end, first, 'LIMIT', 0, part.limit)
            : redis.zrangebylex(index, first, end, 'LIMIT', 0, part.limit))
          if (keys.length === 0) return { keys, entries: [] }
          const values = await redis.mgetBuffer(...keys.map((key) => prefix + key))
          const entries = keys.flatMap((key, place) => {
            const opened = open(key, values[place])
            return opened ? [{ key, value: opened.value }] : []
          })
          return { keys, entries }
        }),
      ),
  }
}
