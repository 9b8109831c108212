import { hash } from 'node:crypto'

import { canonicalUrl } from '@harvestman/net/request'
import type { Clock } from '@harvestman/ports'
import type { Visit } from './visit.ts'
import type { Plan } from './plan.ts'
import type { PageStore } from './page-store.ts'
import { storeKeys } from '../keys.ts'

/** Allowed range of the age of a page, in milliseconds. */
interface Age {
  readonly from: number
  readonly to: number
}

/** Stores pages rather than documents, so that an earlier visit can serve any format. */
export interface PageCache {
  /** Returns the cache key: everything that can change the response, and the team. */
  keyOf(plan: Plan, team: string): string
  find(key: string, age: Age): Promise<Visit | undefined>
  /** Finds the visit with exactly this version. */
  findVersion(version: string, age: Age): Promise<Visit | undefined>
  keep(visit: Visit, team: string): Promise<void>
  /** Running visits that identical requests may join. */
  readonly underWay: Map<string, VisitUnderWay>
}

/** A running visit. */
export interface VisitUnderWay {
  readonly visit: Promise<Visit>
  /** True if another request has joined it. */
  isShared: boolean
}

// Other statuses describe a temporary state of the host, not the page.
const cachedStatuses: ReadonlySet<number> = new Set([200, 203, 404, 410])

// Hashing would take most of the time of a cache hit, so shorter keys are used as they are.
const maxKeyLength = 500

/**
 * Creates the page cache of an engine, which keeps pages for `ttl` milliseconds. `find` returns `undefined` for pages that are
 * not cached, or not of the requested age; `keep` ignores pages with captures, or with a status other than 200, 203, 404 and
 * 410. `sends` are headers that the engine adds: with other headers, a host may return another page, so they are part of the
 * key. Calls reject if the store fails.
 */
export function makePageCache(
  pages: PageStore,
  clock: Clock,
  ttl: number,
  sends: Readonly<Record<string, string>> = {},
): PageCache {
  const shown = Object.keys(sends).length > 0 ? [sends] : []
  const find: PageCache['find'] = async (key, { from, to }) => {
    const cached = await pages.get(key)
    if (!cached) return undefined
    const { page, body, at } = cached
    const age = clock.now() - at
    if (age < from || age > to) return undefined
    return { page, body, at, cacheState: 'hit', version: `${key}@${at}` }
  }
  return {
    underWay: new Map(),
    keyOf: ({ request, url, captures }, team) => {
      const { mobile, location, blockAds, skipTlsVerification, proxy, waitFor, threatProtection } = request
      const looks = captures.map(({ name, options }) => [name, options])
      const inputs = [
        team,
        canonicalUrl(url),
        mobile,
        location,
        blockAds,
        skipTlsVerification,
        proxy,
        waitFor,
        looks,
        ...shown,
        // The redirects on the way to a page were not checked for other rules.
        ...(threatProtection ? [{ threatProtection }] : []),
      ]
      const text = JSON.stringify(inputs)
      return storeKeys.page(text.length > maxKeyLength ? hash('sha256', text, 'base64url') : text)
    },
    find,
    findVersion: async (version, age) => {
      const visit = await find(keyOfVersion(version), age)
      return visit?.version === version ? visit : undefined
    },
    keep: async ({ page, body, at, version }, team) => {
      if (!version || !cachedStatuses.has(page.status) || Object.keys(page.captured).length > 0) return
      await pages.set(keyOfVersion(version), { page, body, at }, { ttl, team })
    },
  }
}

function keyOfVersion(version: string): string {
  return version.slice(0, version.lastIndexOf('@'))
}
