// Whether a team may have what it asks for. Every door of an engine asks here; a server asks before it reads a body, and
// hands on what it was told.
import { EngineError } from '@harvestman/ports'
import type { Admit, RateVerdict, TeamCall } from '../plugin/admission.ts'
import type { EndpointGroup, RateGroup, TeamLimits } from '../schema/team.ts'
import { usualRates } from '../schema/team.ts'
import { narrower } from './limits.ts'
import type { Rates } from './rates.ts'

export interface AdmitOptions {
  /** What the record of a team says; nothing when it has none. */
  readonly limitsOf: (team: string) => Promise<TeamLimits | undefined>
  readonly rates: Rates
}

export function makeAdmit({ limitsOf, rates }: AdmitOptions): Admit {
  const count = async (team: string, limits: TeamLimits | undefined, call: TeamCall, group: RateGroup) => {
    const { key, ownLimits } = call
    const [ofTeam, ofKey] = [rateOf(limits, group), rateOf(ownLimits, group)]
    const first = key !== undefined && ofKey !== undefined ? await rates.take(`key ${key} ${group}`, ofKey) : undefined
    if (ofTeam === undefined || first?.isAllowed === false) return first
    const second = await rates.take(`team ${team} ${group}`, ofTeam)
    return first && second.isAllowed && first.remaining < second.remaining ? first : second
  }
  return async ({ group, rate: counted = group }, call) => {
    if (call.admitted) return call.admitted
    checkGroup(group, call)
    const limits = narrowed(call.limits ?? (await limitsOf(call.team)), call.ownLimits)
    const rate = await count(call.team, limits, call, counted)
    if (rate?.isAllowed === false) throw tooMany(rate, counted)
    return { limits, rate }
  }
}

/** What a key that is held to some formats may not ask for, of one page or of each page of many. */
export function checkFormatScope(formats: readonly { readonly type: string }[], { scopes }: TeamCall): void {
  const refused = scopes?.formats && formats.find(({ type }) => !scopes.formats?.includes(type))
  if (!refused) return
  throw new EngineError('scope_missing', `This key may not ask for the format ${refused.type}. Use another key.`)
}

function checkGroup(group: EndpointGroup, { scopes }: TeamCall): void {
  if (!scopes?.groups || scopes.groups.includes(group)) return
  throw new EngineError('scope_missing', `This key may not call endpoints of the group ${group}. Use another key.`)
}

function narrowed(team: TeamLimits | undefined, key: TeamLimits | undefined): TeamLimits | undefined {
  return key === undefined ? team : narrower(team ?? {}, key)
}

function rateOf({ requestsPerMinute }: TeamLimits = {}, group: RateGroup): number | undefined {
  return requestsPerMinute && (requestsPerMinute[group] ?? usualRates[group])
}

function tooMany(rate: RateVerdict, group: string): EngineError {
  const seconds = Math.max(1, Math.ceil(rate.resetsIn / 1_000))
  return new EngineError(
    'rate_limited',
    `Rate limit exceeded: ${rate.limit} requests a minute for ${group}. Try again in ${seconds} s.`,
    { details: { retryAfter: seconds, rate } },
  )
}
