// The caller of a request, and what the gates say about it.
import type { EndpointGroup, KeyScopes, RateGroup, TeamLimits } from '../schema/team.ts'

/** Caller of the engine: a team, and its key and limits. The result of `teams.verify` can be passed as it is. */
export interface TeamCall {
  /** The team that asks. Teams never see each other's things. */
  readonly team?: string | undefined
  /** The id of the API key that is used, for the usage by key and the activity. */
  readonly key?: string | undefined
  /** Scopes of the key. When absent, the key may do all that its team may. */
  readonly scopes?: KeyScopes | undefined
  /** Limits of the team, in place of those that a gate knows. Without either there are no limits. */
  readonly limits?: TeamLimits | undefined
  /** Limits of the key alone, where they are lower. */
  readonly ownLimits?: TeamLimits | undefined
  /** For servers: what `engine.admit` gave for this very request, which is then not asked about again. */
  readonly admitted?: Admission | undefined
}

/** The same, with its team filled in. */
export type AskedBy = TeamCall & { readonly team: string }

/** The groups that a request belongs to. */
export interface Asked {
  readonly group: EndpointGroup
  /** Group for the rate limit, when it is not `group`. */
  readonly rate?: RateGroup | undefined
}

/** Limits of an admitted request: those of each gate, or of all gates together. */
export interface Admission {
  /** Limits of the request: the lowest of each when several gates give some; absent when none does. */
  readonly limits?: TeamLimits | undefined
  /** Rate limit state: the requests left in this minute. Absent when nothing is counted. */
  readonly rate?: RateVerdict | undefined
}

/** Verdict of a rate limit: whether the request is allowed, and how many more are in this minute. */
export interface RateVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the count begins anew. */
  readonly resetsIn: number
}

/** Lets a request in, or rejects with what it is refused for. */
export type Admit = (asked: Asked, call: AskedBy) => Promise<Admission>
