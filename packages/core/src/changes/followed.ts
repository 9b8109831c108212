// Pages of a site that crawls track, by team, host and tag. The next crawl also visits tracked pages without incoming links.
import { createHash } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import { layout } from '@harvestman/coordination'
import { storeKeys } from '../keys.ts'

export interface FollowedSite {
  readonly team: string
  readonly host: string
  readonly tag: string | null
}

/** Storage of the tracked pages of sites. */
export interface FollowedPages {
  list(site: FollowedSite): Promise<readonly string[]>
  /** Adds the visited pages and removes missing ones. Idempotent. */
  note(site: FollowedSite, met: Iterable<string>, gone: ReadonlySet<string>): Promise<void>
}

export interface FollowedOptions {
  readonly store: Store
  /** Milliseconds for which the pages are stored after the last crawl. */
  readonly life: number
}

/** Maximum number of tracked pages per site. The newest ones stay. */
const maxTrackedPages = 20_000

const { seal, open } = layout<{ readonly urls: readonly string[] }>(1, { urls: 'list' })

/**
 * Creates access to the stored pages of each site, up to 20,000; beyond that, the oldest are dropped. `list` resolves to an
 * empty list for an unknown site. Calls reject if the store fails or a record is damaged.
 */
export function followedPages({ store, life }: FollowedOptions): FollowedPages {
  return {
    list: async (site) => open(what, await store.get(keyOf(site)))?.urls ?? [],
    note: async (site, met, gone) => {
      await store.update(
        keyOf(site),
        (old) => {
          const all = new Set(open(what, old)?.urls)
          for (const url of met) all.add(url)
          for (const url of gone) all.delete(url)
          return seal({ urls: [...all].slice(-maxTrackedPages) })
        },
        { ttl: life },
      )
    },
  }
}

const what = 'The list of the pages of a site'

function keyOf({ team, host, tag }: FollowedSite): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([team, host, tag]))
    .digest('base64url')
    .slice(0, 22)
  return storeKeys.followedSite(digest)
}
