import type { TeamLimits } from '@harvestman/core'
import type { Clock } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import type { Team } from './team.ts'

/** Cached limits of teams: a busy team costs one store read per second. */
export interface KnownLimits {
  /** Returns the limits of a team, or `undefined` if it has no record. */
  of(team: string): Promise<TeamLimits | undefined>
  /** Drops the cached limits of a team after a change. */
  forget(team: string): void
}

export interface KnownLimitsOptions {
  readonly find: (team: string) => Promise<Team | undefined>
  readonly clock: Clock
  /** Returns whether the team may continue with its last known limits while its record cannot be read. */
  readonly goesOn: (team: string) => boolean
}

interface Known {
  readonly limits: TeamLimits | undefined
  readonly until: number
}

// Milliseconds until changed limits apply in every process.
const believedFor = 1_000
const maxCachedTeams = 10_000

/**
 * Creates a cache of the limits of teams, for a second each. An unknown team has none (`undefined`). If the store fails, a
 * team that `goesOn` accepts keeps its last known limits; for others the error is thrown.
 */
export function knownLimits({ find, clock, goesOn }: KnownLimitsOptions): KnownLimits {
  const known = recentlyUsed<string, Known>(maxCachedTeams)
  const read = async (team: string): Promise<TeamLimits | undefined> => {
    try {
      return (await find(team))?.limits
    } catch (error) {
      if (!goesOn(team)) throw error
      return known.get(team)?.limits
    }
  }
  return {
    of: async (team) => {
      const { limits, until = 0 } = known.get(team) ?? {}
      // If the clock was set back, the cached entry must not outlive its limit.
      if (until > clock.now() && until <= clock.now() + believedFor) return limits
      const found = await read(team)
      known.set(team, { limits: found, until: clock.now() + believedFor })
      return found
    },
    forget: known.delete,
  }
}
