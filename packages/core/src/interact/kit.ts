import type { Action } from '../plugin/action.ts'
import type { Clock, Ledger, LLM, Proxies, Sandbox, Sessions, Store } from '@harvestman/ports'
import type { Policies } from '../scrape/policies.ts'
import type { ReplayContext } from '../plugin/feature.ts'

/** What live browsers are opened, kept and driven with. */
export interface InteractKit {
  readonly sessions: Sessions
  readonly sandbox: Sandbox | undefined
  readonly llm: LLM | undefined
  readonly proxies: Proxies | undefined
  /** Headers that go to the host of every page. */
  readonly sends: Readonly<Record<string, string>>
  readonly ledger: Ledger
  readonly actions: readonly Action[]
  readonly policies: Policies
  readonly store: Store
  readonly clock: Clock
  readonly owner: string
  readonly isGone: (owner: string) => boolean
  /** Live browsers at once, of this engine and of a team. */
  readonly most: number
  readonly mostOfTeam: number
  /** Milliseconds that one that is gone stays listed. */
  readonly life: number
  /** Told of what broke in a connection to the browser of a session. */
  readonly onFault: (fault: unknown, team: string, id: string) => void
  readonly findReplay: (scrapeId: string, team: string) => Promise<ReplayContext | undefined>
}
