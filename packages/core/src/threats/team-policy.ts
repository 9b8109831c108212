// Threat protection of teams: the policy that applies to all requests of a team, stored and merged with their own options.
import { EngineError, isRecord, type Store } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import { storeKeys } from '../keys.ts'
import type { ThreatLists } from './rules.ts'

/** The stored policy of a team. */
export interface ThreatPolicy extends ThreatLists {
  readonly mode: 'off' | 'manual-only'
  /** True if a request may replace lists of the policy by its own. */
  readonly allowRequestOverrides: boolean
}

/** The policies of the teams on a store. */
export interface TeamThreats {
  /** Returns the policy of a team; `undefined` if none is stored. */
  read(team: string): Promise<ThreatPolicy | undefined>
  write(team: string, policy: ThreatPolicy): Promise<void>
  /**
   * Returns a request with the policy of the team as its threat protection. Lists of the request replace the lists of the policy with
   * the same name. Rejects with `policy_denied` if the policy does not allow this. Without a policy, returns the request itself.
   */
  merge(team: string, request: unknown, kind: string): Promise<unknown>
  /** Returns the lists for work of a request that is already merged: its own, or else the policy's. */
  listsOf(team: string, own: ThreatLists | undefined): Promise<ThreatLists | undefined>
}

/** Milliseconds after which a policy is read again, because another engine may have changed it. */
const maxAge = 5_000
const maxTeams = 1_000

// The feature that changes policies and the requests that read them share one cache per store.
const opened = new WeakMap<Store, TeamThreats>()

/**
 * Returns access to the policies of the teams on a store, the same for each call. A policy that another engine changes takes
 * effect within 5 seconds. Calls reject if the store fails.
 */
export function teamThreats(store: Store): TeamThreats {
  const known = opened.get(store)
  if (known) return known
  const threats = openTeamThreats(store)
  opened.set(store, threats)
  return threats
}

interface Cached {
  readonly policy: Promise<ThreatPolicy | undefined>
  readonly until: number
}

function openTeamThreats(store: Store): TeamThreats {
  const cache = recentlyUsed<string, Cached>(maxTeams)
  const load = async (team: string): Promise<ThreatPolicy | undefined> => {
    try {
      // Cast: only `write` stores values under this key.
      return (await store.get(storeKeys.threats(team))) as ThreatPolicy | undefined
    } catch (error) {
      cache.delete(team)
      throw error
    }
  }
  const read = (team: string): Promise<ThreatPolicy | undefined> => {
    const known = cache.get(team)
    if (known && known.until > performance.now()) return known.policy
    const policy = load(team)
    cache.set(team, { policy, until: performance.now() + maxAge })
    return policy
  }
  return {
    read,
    write: async (team, policy) => {
      await store.set(storeKeys.threats(team), { ...policy })
      cache.set(team, { policy: Promise.resolve(policy), until: performance.now() + maxAge })
    },
    merge: async (team, request, kind) => {
      const policy = await read(team)
      if (policy?.mode !== 'manual-only' || !isRecord(request)) return request
      const place = places[kind]
      return place ? place(request, (own) => merged(policy, own)) : withOwn(request, policy)
    },
    listsOf: async (team, own) => {
      if (own) return own
      const policy = await read(team)
      return policy?.mode === 'manual-only' ? ruleLists(policy) : undefined
    },
  }
}

function ruleLists({ blacklist, whitelist, blockedTlds }: ThreatPolicy): ThreatLists {
  return { blacklist, whitelist, blockedTlds }
}

/** Returns the threat protection of a request that has `own`. */
function merged(policy: ThreatPolicy, own: unknown): unknown {
  if (own === undefined || own === null) return ruleLists(policy)
  if (!policy.allowRequestOverrides) throw denied('does not allow requests to change it. Remove threatProtection.')
  if (own === false || (isRecord(own) && own['mode'] === 'off')) throw denied('cannot be turned off by a request.')
  // The schema rejects other types.
  return isRecord(own) ? { ...ruleLists(policy), ...own } : own
}

function denied(why: string): EngineError {
  return new EngineError('policy_denied', `The threat protection of your team ${why}`)
}

type Fields = Readonly<Record<string, unknown>>
type Merge = (own: unknown) => unknown

const atTop = (request: Fields, merge: Merge): Fields => ({
  ...request,
  threatProtection: merge(request['threatProtection']),
})

/** Where requests have their threat protection, by kind. */
const places: Readonly<Record<string, (request: Fields, merge: Merge) => Fields>> = {
  scrape: atTop,
  batch: atTop,
  map: atTop,
  search: (request, merge) => {
    const { scrapeOptions, threatProtection } = request
    const ofPages = isRecord(scrapeOptions) ? scrapeOptions['threatProtection'] : undefined
    return { ...request, threatProtection: merge(threatProtection ?? ofPages) }
  },
  crawl: (request, merge) => {
    const { scrapeOptions = {} } = request
    return isRecord(scrapeOptions) ? { ...request, scrapeOptions: atTop(scrapeOptions, merge) } : request
  },
}

/** Merges only an option that is set: the kind may not have it, and the policy applies to its work anyway. */
function withOwn(request: Fields, policy: ThreatPolicy): Fields {
  const { threatProtection, scrapeOptions } = request
  return {
    ...request,
    ...(threatProtection !== undefined && { threatProtection: merged(policy, threatProtection) }),
    ...(isRecord(scrapeOptions) && { scrapeOptions: withOwn(scrapeOptions, policy) }),
  }
}
