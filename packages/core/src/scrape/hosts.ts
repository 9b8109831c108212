import { recentlyUsed } from '@harvestman/ports/adapters'
import type { Clock, Store, Value } from '@harvestman/ports'
import { storeKeys } from '../keys.ts'

/** Memory of a host whose pages are drawn by their scripts. */
export interface KnownHost {
  readonly host: string
  /** Time from which loading begins with HTTP again, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Remembers which hosts show nothing without a browser, so that the next page of theirs is not asked for twice. It only
 * changes who is asked first, never what is given.
 *
 * What a host needs is no secret, but that a team asked for it is: so each team remembers for itself.
 */
export interface HostMemory {
  find(host: string, team: string): Promise<KnownHost | undefined>
  /** HTTP brought a shell of this host, and the browser drew it. */
  sawShell(host: string, team: string): Promise<void>
  /** HTTP brought a page of this host that needs no scripts. */
  sawPage(host: string, team: string): Promise<void>
  forget(host: string, team: string): Promise<void>
}

interface Kept {
  readonly until: number
  /** Milliseconds for which it was believed the last time. */
  readonly rest: number
}

const firstRest = 3_600_000
const hostsWatched = 10_000
// Milliseconds until a finding of another process about a host is seen: each page asks for it.
const believedFor = 5_000

export function makeHostMemory(store: Store, clock: Clock, longest: number): HostMemory {
  if (longest <= 0) return forgetful
  // Counts of good pages without scripts, by host. One shell among many pages says little of the next.
  const good = recentlyUsed<string, number>(hostsWatched)
  const doubted = recentlyUsed<string, true>(hostsWatched)
  const found = recentlyUsed<string, { readonly kept: Kept | undefined; readonly at: number }>(hostsWatched)
  const keyOf = (host: string, team: string): string => storeKeys.host(JSON.stringify([team, host]))
  const read = async (key: string): Promise<Kept | undefined> => {
    const known = found.get(key)
    const age = clock.now() - (known?.at ?? 0)
    if (known && age >= 0 && age < believedFor) return known.kept
    const kept = asKept(await store.get(key))
    found.set(key, { kept, at: clock.now() })
    return kept
  }
  return {
    find: async (host, team) => {
      const key = keyOf(host, team)
      const kept = await read(key)
      if (!kept) return undefined
      if (isResting(kept, clock.now())) return { host, until: kept.until }
      // Its time is over, so the next page tells whether it still holds.
      doubted.set(key, true)
      return undefined
    },
    sawShell: async (host, team) => {
      const key = keyOf(host, team)
      const count = good.get(key) ?? 0
      if (count > 0) return good.set(key, count - 1)
      doubted.delete(key)
      const again = (old: Value | undefined): Value => {
        const kept = asKept(old)
        // Pages that were loaded at the same moment are one piece of news, not many.
        if (old !== undefined && kept && isResting(kept, clock.now())) return old
        const rest = Math.min(longest, kept ? kept.rest * 2 : firstRest)
        return { until: clock.now() + rest, rest }
      }
      await store.update(key, again, { ttl: 2 * longest })
      found.delete(key)
    },
    sawPage: async (host, team) => {
      const key = keyOf(host, team)
      good.set(key, Math.min(5, (good.get(key) ?? 0) + 1))
      if (!doubted.get(key)) return
      doubted.delete(key)
      await store.delete(key)
      found.delete(key)
    },
    forget: async (host, team) => {
      const key = keyOf(host, team)
      good.delete(key)
      await store.delete(key)
      found.delete(key)
    },
  }
}

const nothing = async (): Promise<undefined> => undefined
const forgetful: HostMemory = { find: nothing, sawShell: nothing, sawPage: nothing, forget: nothing }

/** Whether the time has not passed. One further ahead than its rest was written by a clock that was ahead. */
function isResting({ until, rest }: Kept, now: number): boolean {
  return now < until && until <= now + rest
}

function asKept(value: unknown): Kept | undefined {
  if (typeof value !== 'object' || value === null || !('until' in value) || !('rest' in value)) return undefined
  return value as Kept
}
