import type { TeamLimits } from '@harvestman/core'
import type { Clock } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/ports/adapters'

import type { Team } from './team.ts'

/** The limits in the records of teams: a busy team costs one look into the store each second. */
export interface KnownLimits {
  /** Nothing for a team that has no record. */
  of(team: string): Promise<TeamLimits | undefined>
  /** They have changed: the next look is at the store. */
  forget(team: string): void
}

export interface KnownLimitsOptions {
  readonly find: (team: string) => Promise<Team | undefined>
  readonly clock: Clock
  /** Teams whose work goes on, with the limits that were known last, while their record cannot be read. */
  readonly goesOn: (team: string) => boolean
}

interface Known {
  readonly limits: TeamLimits | undefined
  readonly until: number
}

// New limits hold no later than this, in every process.
const believedFor = 1_000
const mostBelieved = 10_000

export function knownLimits({ find, clock, goesOn }: KnownLimitsOptions): KnownLimits {
  const known = recentlyUsed<string, Known>(mostBelieved)
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
      // A clock that was set back must not make it last.
      if (until > clock.now() && until <= clock.now() + believedFor) return limits
      const found = await read(team)
      known.set(team, { limits: found, until: clock.now() + believedFor })
      return found
    },
    forget: known.delete,
  }
}
