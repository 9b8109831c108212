import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

import { EngineError, type KeyScopes, type TeamLimits } from '@harvestman/core'
import type { Teams } from '@harvestman/hosting'

/** Caller of a request: its team, and what may be done with the key it came with. All but the team may be left out. */
export interface Caller {
  readonly team: string
  /** The id of the key, for what is counted by key. */
  readonly key?: string | undefined
  /** Scopes of the key; everything when absent. */
  readonly scopes?: KeyScopes | undefined
  /** Limits of the team. */
  readonly limits?: TeamLimits | undefined
  /** Limits of the key alone, where they are lower. */
  readonly ownLimits?: TeamLimits | undefined
}

/** Says who asks, or nothing when the caller is not known. */
export interface Authenticate {
  (request: Request): Caller | undefined | Promise<Caller | undefined>
  /** Number of keys that each team has in the configuration of the server, for its operator. */
  readonly configured?: readonly ConfiguredKeys[]
}

export interface ConfiguredKeys {
  readonly team: string
  readonly keys: number
}

const everybody: Caller = { team: 'default' }

/** The team of everybody, on a server without keys. */
export const anybody: Authenticate = () => everybody

/**
 * Reads a list of keys, or one text with commas between them: each is `key`, for the team "default", or `team:key`.
 * Gives nothing for an empty list, which leaves the server without keys.
 */
export function apiKeys(list: string | readonly string[]): Authenticate | undefined {
  // Salted, so that a key cannot be chosen for its hash: how long a look-up takes tells nothing of the keys. Hashing
  // costs a fifth of a request, so keys that proved right are remembered; a wrong one never gets there.
  const proven = new Map<string, Caller>()
  const salt = randomBytes(32).toString('hex')
  const digest = (key: string): string => hash('sha256', salt + key, 'base64url')
  const callers = new Map<string, Caller>()
  for (const { team, key } of entriesOf(list)) {
    const known = callers.get(digest(key))
    if (known && known.team !== team) {
      throw new EngineError('invalid_request', `The teams ${known.team} and ${team} have the same API key.`)
    }
    callers.set(digest(key), { team })
  }
  if (callers.size === 0) return undefined
  const teams = Map.groupBy(callers.values(), ({ team }) => team)
  const configured = [...teams].map(([team, keys]) => ({ team, keys: keys.length }))
  const authenticate: Authenticate = (request) => {
    const token = bearerToken(request)
    if (token === undefined) return undefined
    const caller = proven.get(token) ?? callers.get(digest(token))
    if (caller) proven.set(token, caller)
    return caller
  }
  return Object.assign(authenticate, { configured })
}

/** The keys of the teams of an engine. */
export function teamKeys(teams: Pick<Teams, 'verify'>): Authenticate {
  return async (request) => {
    const token = bearerToken(request)
    return token === undefined ? undefined : teams.verify(token)
  }
}

/** Asks one after the other, until one knows who it is. */
export function firstToKnow(...all: readonly (Authenticate | undefined)[]): Authenticate {
  const ask: Authenticate = async (request) => {
    for (const authenticate of all) {
      const caller = await authenticate?.(request)
      if (caller) return caller
    }
    return undefined
  }
  return Object.assign(ask, { configured: all.flatMap((authenticate) => authenticate?.configured ?? []) })
}

/** Returns whether a request has this very key. The time of the check tells nothing of it. */
export function hasKey(request: Request, key: string): boolean {
  const token = bearerToken(request)
  if (token === undefined) return false
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(token), digest(key))
}

function entriesOf(list: string | readonly string[]): { readonly team: string; readonly key: string }[] {
  const entries = (typeof list === 'string' ? list.split(',') : list).map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const colon = entry.indexOf(':')
      const [team, key] = colon < 0 ? [everybody.team, entry] : [entry.slice(0, colon), entry.slice(colon + 1)]
      if (/^[\w.-]+$/.test(team) && /^[\x21-\x7e]+$/.test(key)) return { team, key }
      // The entry itself is not shown: it is a secret, or close to one.
      throw new EngineError('invalid_request', 'An entry of the API keys is neither "key" nor "team:key".')
    })
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i

export function bearerToken(request: Request): string | undefined {
  return bearer.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** The words of the public API for an unknown caller. */
export function notKnown(request: Request): EngineError {
  if (!request.headers.get('authorization')) return new EngineError('unauthorized', 'Unauthorized')
  const hasToken = bearerToken(request) !== undefined
  return new EngineError('unauthorized', `Unauthorized: ${hasToken ? 'Invalid token' : 'Token missing'}`)
}
