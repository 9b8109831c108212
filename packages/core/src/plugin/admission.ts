// The caller of a request, and its admission by the gates.
import type { EndpointGroup, KeyScopes, RateGroup, TeamLimits } from '../schema/team.ts'

/** Caller of the engine: a team, with its key and limits. The result of `teams.verify` can be passed directly. */
export interface TeamCall {
  /** Team of the caller. Teams cannot see each other's data. */
  readonly team?: string | undefined
  /** Id of the API key, for usage by key and the activity log. */
  readonly key?: string | undefined
  /** Scopes of the key. When absent, the key may do everything that its team may. */
  readonly scopes?: KeyScopes | undefined
  /** Limits of the team, instead of the limits that a gate would apply. Without either there are none. */
  readonly limits?: TeamLimits | undefined
  /** Limits of the key, if they are lower than the team's. */
  readonly ownLimits?: TeamLimits | undefined
  /** For servers: the result of `engine.admit` for this request. The gates are not called again. */
  readonly admitted?: Admission | undefined
}

/** `TeamCall` with the team filled in. */
export type AskedBy = TeamCall & { readonly team: string }

/** Groups of a request, for scopes and limits. */
export interface Asked {
  readonly group: EndpointGroup
  /** Group of the rate limit, if it is not `group`. */
  readonly rate?: RateGroup | undefined
}

/** Result of admitting a request, by one gate or by all of them together. */
export interface Admission {
  /** Limits of the request. Of several gates, the lowest values apply. Absent if no gate sets any. */
  readonly limits?: TeamLimits | undefined
  /** Rate limit state: the requests left in this minute. Absent if requests are not counted. */
  readonly rate?: RateVerdict | undefined
}

/** State of a rate limit: whether the request is allowed, and how many are left in this minute. */
export interface RateVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the count is reset. */
  readonly resetsIn: number
}

/** Admits a request, or rejects with the reason why it is refused. */
export type Admit = (asked: Asked, call: AskedBy) => Promise<Admission>
