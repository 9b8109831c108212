// What a caller may do: the scopes of the key, and the limits of team and key.
import { EngineError, endpointGroups, type EndpointGroup, type RateVerdict } from '@harvestman/core'

import type { Caller } from './auth.ts'
import type { ApiEngine } from './engine.ts'
import type { Route } from './route.ts'

type Headers = Readonly<Record<string, string>>

const groups: ReadonlySet<string> = new Set(endpointGroups)

/** Lets a request in, and gives the headers that tell what is left; or says why it may not be made. */
export async function admit(
  { group, rate }: Route,
  caller: Caller,
  { teams }: Pick<ApiEngine, 'teams'>,
): Promise<Headers> {
  if (!isLimited(group)) return {}
  const { scopes, limits = {} } = caller
  if (scopes?.groups && !scopes.groups.includes(group)) {
    throw new EngineError('scope_missing', `This key may not call endpoints of the group ${group}. Use another key.`)
  }
  const isCounted = limits.requestsPerMinute !== undefined || caller.ownLimits?.requestsPerMinute !== undefined
  if (!isCounted) return {}
  const counted = rate ?? group
  const verdict = await teams.countRequest({ ...caller, limits }, counted)
  if (!verdict) return {}
  if (!verdict.isAllowed) throw tooMany(verdict, counted)
  return rateHeaders(verdict)
}

/** What a key that is held to some formats may not ask for. */
export function checkFormats(input: unknown, { scopes }: Caller): void {
  const allowed = scopes?.formats
  if (!allowed) return
  const refused = formatsIn(input).find((format) => !allowed.includes(format))
  if (refused === undefined) return
  throw new EngineError('scope_missing', `This key may not ask for the format ${refused}. Use another key.`)
}

/** Whether rows of this group are held to scopes and rates. */
export function isLimited(group: string): group is EndpointGroup {
  return groups.has(group)
}

function tooMany(verdict: RateVerdict, group: string): EngineError {
  const seconds = Math.max(1, Math.ceil(verdict.resetsIn / 1_000))
  return new EngineError(
    'rate_limited',
    `Rate limit exceeded: ${verdict.limit} requests a minute for ${group}. Try again in ${seconds} s.`,
    { details: { retryAfter: seconds, rate: rateHeaders(verdict) } },
  )
}

function rateHeaders({ limit, remaining, resetsIn }: RateVerdict): Headers {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetsIn / 1_000)),
  }
}

const usualFormats = ['markdown']

/** The names of the formats that a body asks for, of one page or of each page of many. */
function formatsIn(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return []
  const { formats, scrapeOptions } = input as { readonly formats?: unknown; readonly scrapeOptions?: unknown }
  if (scrapeOptions !== undefined) return formatsIn(scrapeOptions)
  if (!Array.isArray(formats)) return usualFormats
  return formats.map((entry: unknown) => {
    const name = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : entry
    return typeof name === 'string' ? (name.split('@')[0] ?? name) : ''
  })
}
