import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

import { EngineError, type KeyScopes, type TeamLimits } from '@harvestman/core'
import type { Teams } from '@harvestman/hosting'

/** Caller of a request: its team, and the permissions of its key. Only the team is required. */
export interface Caller {
  readonly team: string
  /** The id of the key, for counters by key. */
  readonly key?: string | undefined
  /** Scopes of the key. Default: everything. */
  readonly scopes?: KeyScopes | undefined
  /** Limits of the team. */
  readonly limits?: TeamLimits | undefined
  /** Limits of the key alone, if they are lower. */
  readonly ownLimits?: TeamLimits | undefined
}

/** Identifies the caller of a request. Returns `undefined` for an unknown caller. */
export interface Authenticate {
  (request: Request): Caller | undefined | Promise<Caller | undefined>
  /** Number of keys of each team in the server configuration, shown to the operator. */
  readonly configured?: readonly ConfiguredKeys[]
}

export interface ConfiguredKeys {
  readonly team: string
  readonly keys: number
}

const everybody: Caller = { team: 'default' }

/** Treats every caller as the team "default", for servers without keys. */
export const allowAnyone: Authenticate = () => everybody

/**
 * Creates the check of API keys from a list, or from a comma-separated string. Each entry is `key`, for the team "default", or
 * `team:key`. Returns `undefined` for an empty list, which leaves the server without keys. Throws `invalid_request` if two
 * teams have the same key, or an entry has another form.
 */
export function apiKeys(list: string | readonly string[]): Authenticate | undefined {
  // The digests are salted, so that lookup time reveals nothing about the keys. Hashing takes a fifth of a request, so accepted
  // keys are cached; wrong ones never are.
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

/**
 * Creates the check of the keys that are stored for the teams of an engine. Without a valid token the caller is `undefined`,
 * that is, unknown. The check rejects as `verify` does, such as if the store fails.
 */
export function teamKeys(teams: Pick<Teams, 'verify'>): Authenticate {
  return async (request) => {
    const token = bearerToken(request)
    return token === undefined ? undefined : teams.verify(token)
  }
}

/**
 * Combines checks: tries each in order until one identifies the caller. The caller is `undefined` if none does. The combined
 * check rejects if a check rejects before one identifies the caller.
 */
export function combineAuth(...all: readonly (Authenticate | undefined)[]): Authenticate {
  const ask: Authenticate = async (request) => {
    for (const authenticate of all) {
      const caller = await authenticate?.(request)
      if (caller) return caller
    }
    return undefined
  }
  return Object.assign(ask, { configured: all.flatMap((authenticate) => authenticate?.configured ?? []) })
}

/** Returns whether a request has this key. Takes constant time. Returns false without a bearer token. */
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
      // Do not quote the entry: it may contain a secret.
      throw new EngineError('invalid_request', 'An entry of the API keys is neither "key" nor "team:key".')
    })
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i

/** Returns the token of an `Authorization: Bearer` header; `undefined` if the header is missing or has another form. */
export function bearerToken(request: Request): string | undefined {
  return bearer.exec(request.headers.get('authorization') ?? '')?.[1]
}

/**
 * Returns the public API's error for an unknown caller. The message tells whether the header or the token is missing,
 * or the token is wrong.
 */
export function unknownCaller(request: Request): EngineError {
  if (!request.headers.get('authorization')) return new EngineError('unauthorized', 'Unauthorized')
  const hasToken = bearerToken(request) !== undefined
  return new EngineError('unauthorized', `Unauthorized: ${hasToken ? 'Invalid token' : 'Token missing'}`)
}
