// Checks the limits of a team and of its key, and counts their requests per minute.
import type { RateGroup, RateVerdict, TeamCall, TeamLimits } from '@harvestman/core'
import { combineLimits, type Admit } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import type { Rates } from './rates.ts'
import { defaultRates } from './words.ts'

export interface TeamGateOptions {
  /** Returns the stored limits of a team, or `undefined` if it has no record. */
  readonly limitsOf: (team: string) => Promise<TeamLimits | undefined>
  readonly rates: Rates
}

/**
 * Returns the admission check for teams, which counts a request against the limits of its team and key, and resolves to these
 * limits and the rate of which less remains; `undefined` for no limit. It rejects with `rate_limited` if there were too many
 * in this minute, and if the store fails.
 */
export function admitTeams({ limitsOf, rates }: TeamGateOptions): Admit {
  const count = async (team: string, limits: TeamLimits | undefined, call: TeamCall, group: RateGroup) => {
    const { key, ownLimits } = call
    const [ofTeam, ofKey] = [rateOf(limits, group), rateOf(ownLimits, group)]
    const first = key !== undefined && ofKey !== undefined ? await rates.take(`key ${key} ${group}`, ofKey) : undefined
    if (ofTeam === undefined || first?.isAllowed === false) return first
    const second = await rates.take(`team ${team} ${group}`, ofTeam)
    return first && second.isAllowed && first.remaining < second.remaining ? first : second
  }
  return async ({ group, rate: counted = group }, call) => {
    const limits = narrowed(call.limits ?? (await limitsOf(call.team)), call.ownLimits)
    const rate = await count(call.team, limits, call, counted)
    if (rate?.isAllowed === false) throw tooMany(rate, counted)
    return { limits, rate }
  }
}

function narrowed(team: TeamLimits | undefined, key: TeamLimits | undefined): TeamLimits | undefined {
  return key === undefined ? team : combineLimits(team ?? {}, key)
}

function rateOf({ requestsPerMinute }: TeamLimits = {}, group: RateGroup): number | undefined {
  return requestsPerMinute && (requestsPerMinute[group] ?? defaultRates[group])
}

function tooMany(rate: RateVerdict, group: string): EngineError {
  const seconds = Math.max(1, Math.ceil(rate.resetsIn / 1_000))
  return new EngineError(
    'rate_limited',
    `Rate limit exceeded: ${rate.limit} requests a minute for ${group}. Try again in ${seconds} s.`,
    { details: { retryAfter: seconds, rate } },
  )
}
