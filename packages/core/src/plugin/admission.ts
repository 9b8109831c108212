// Who makes a request, and what the gates say about it.
import type { EndpointGroup, KeyScopes, RateGroup, TeamLimits } from '../schema/team.ts'

/** On whose behalf something is asked for. What `teams.verify` gives can be handed on as it is. */
export interface TeamCall {
  /** Who asks. Teams never see each other's things. */
  readonly team?: string | undefined
  /** The id of the API key that is used, for the usage by key and the activity. */
  readonly key?: string | undefined
  /** What the key may do; all that its team may when absent. */
  readonly scopes?: KeyScopes | undefined
  /** What the team may use, in place of what a gate knows of it. Without either it has no limits. */
  readonly limits?: TeamLimits | undefined
  /** What the key alone may use, where that is less. */
  readonly ownLimits?: TeamLimits | undefined
  /** For servers: what `engine.admit` gave for this very request, which is then not asked about again. */
  readonly admitted?: Admission | undefined
}

/** The same, with its team filled in. */
export type AskedBy = TeamCall & { readonly team: string }

/** What a request belongs to. */
export interface Asked {
  readonly group: EndpointGroup
  /** What it is counted as, where that is not its group. */
  readonly rate?: RateGroup | undefined
}

/** What a request that was let in may use: what each gate says, and all of them together. */
export interface Admission {
  /** Where several say so, the least of each counts; absent when there are none. */
  readonly limits?: TeamLimits | undefined
  /** How many more there may be in this minute; absent where nothing is counted. */
  readonly rate?: RateVerdict | undefined
}

/** Whether a request may be made now, and how many more in this minute. */
export interface RateVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the count begins anew. */
  readonly resetsIn: number
}

/** Lets a request in, or rejects with what it is refused for. */
export type Admit = (asked: Asked, call: AskedBy) => Promise<Admission>
