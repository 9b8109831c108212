import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import type { Clock, Store, Value } from '@harvestman/ports'
import { storeKeys } from '../keys.ts'

/** A known host whose pages need a browser. */
export interface KnownHost {
  readonly host: string
  /** When to try HTTP first again, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Remembers which hosts show no content without a browser, so that their next pages are not fetched twice. This changes only
 * which loader is tried first, never the result.
 *
 * Each team has its own memory, because it reveals which hosts the team has visited.
 */
export interface HostMemory {
  find(host: string, team: string): Promise<KnownHost | undefined>
  /** Records that HTTP returned a shell of this host and the browser rendered it. */
  sawShell(host: string, team: string): Promise<void>
  /** Records that HTTP returned a page of this host that needs no scripts. */
  sawPage(host: string, team: string): Promise<void>
  forget(host: string, team: string): Promise<void>
}

interface HostRecord {
  readonly until: number
  /** Milliseconds for which the last record was valid. */
  readonly rest: number
}

const firstRest = 3_600_000
const hostsWatched = 10_000
// Milliseconds for which a value is cached in memory: every page of a host needs it.
const believedFor = 5_000

/**
 * Creates a host memory in a store. Records are valid for up to `longest` milliseconds; 0 disables the memory, so no host is
 * known. Calls reject if the store fails.
 */
export function makeHostMemory(store: Store, clock: Clock, longest: number): HostMemory {
  if (longest <= 0) return forgetful
  // Number of good pages without scripts, by host. One shell among many pages is no reason to change the loader.
  const good = recentlyUsed<string, number>(hostsWatched)
  const doubted = recentlyUsed<string, true>(hostsWatched)
  const found = recentlyUsed<string, { readonly record: HostRecord | undefined; readonly at: number }>(hostsWatched)
  const keyOf = (host: string, team: string): string => storeKeys.host(JSON.stringify([team, host]))
  const read = async (key: string): Promise<HostRecord | undefined> => {
    const known = found.get(key)
    const age = clock.now() - (known?.at ?? 0)
    if (known && age >= 0 && age < believedFor) return known.record
    const record = asRecord(await store.get(key))
    found.set(key, { record, at: clock.now() })
    return record
  }
  return {
    find: async (host, team) => {
      const key = keyOf(host, team)
      const record = await read(key)
      if (!record) return undefined
      if (isResting(record, clock.now())) return { host, until: record.until }
      // The record has expired, so the next page decides whether it still applies.
      doubted.set(key, true)
      return undefined
    },
    sawShell: async (host, team) => {
      const key = keyOf(host, team)
      const count = good.get(key) ?? 0
      if (count > 0) return good.set(key, count - 1)
      doubted.delete(key)
      const again = (old: Value | undefined): Value => {
        const record = asRecord(old)
        // Pages loaded at the same moment count as one finding.
        if (old !== undefined && record && isResting(record, clock.now())) return old
        const rest = Math.min(longest, record ? record.rest * 2 : firstRest)
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

/** Returns whether the record is still valid. A time too far in the future was written by a clock that was ahead. */
function isResting({ until, rest }: HostRecord, now: number): boolean {
  return now < until && until <= now + rest
}

function asRecord(value: unknown): HostRecord | undefined {
  if (typeof value !== 'object' || value === null || !('until' in value) || !('rest' in value)) return undefined
  return value as HostRecord
}
