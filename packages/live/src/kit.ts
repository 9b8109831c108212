import type { FeatureKit } from '@harvestman/core/plugin'
import type { LLM, Proxies, Sandbox, Sessions } from '@harvestman/ports'

type OfTheEngine = 'work' | 'store' | 'lock' | 'clock' | 'ledger' | 'hold' | 'owner' | 'isGone'
type OfPages = 'actions' | 'policies' | 'headers' | 'findReplay'

/** End of a live browser: its time, the milliseconds that the browser lived, and its cost. */
export interface EndOfLive {
  readonly at: number
  readonly duration: number
  readonly credits: number
}

/** Kit to open, keep and drive live browsers with. */
export interface LiveKit extends Pick<FeatureKit, OfTheEngine | OfPages> {
  readonly sessions: Sessions
  readonly sandbox: Sandbox | undefined
  readonly llm: LLM | undefined
  readonly proxies: Proxies | undefined
  /** Live browsers at once, of this engine and of a team. */
  readonly most: number
  readonly mostOfTeam: number
  /** Milliseconds that one that is gone stays listed. */
  readonly life: number
  /** Told how a live browser of this engine ended. */
  readonly hasEnded: (end: EndOfLive, team: string, id: string) => void
  /** Told of what broke in a connection to the browser of a session. */
  readonly onFault: (fault: unknown, team: string, id: string) => void
}
