import type { FeatureKit } from '@harvestman/core/plugin'
import type { LLM, Proxies, Sandbox, Sessions } from '@harvestman/ports'

type OfTheEngine = 'work' | 'store' | 'lock' | 'clock' | 'ledger' | 'hold' | 'owner' | 'isGone'
type OfPages = 'actions' | 'policies' | 'headers' | 'findReplay' | 'profiles'

/** The end of a live browser: when it ended, how long it ran in milliseconds, and its price in credits. */
export interface EndOfLive {
  readonly at: number
  readonly duration: number
  readonly credits: number
}

/** Dependencies for opening, managing and driving live browsers. */
export interface LiveKit extends Pick<FeatureKit, OfTheEngine | OfPages> {
  readonly sessions: Sessions
  readonly sandbox: Sandbox | undefined
  /** Whether a script provides the API with which pages declare tools. */
  readonly pageTools: boolean
  readonly llm: LLM | undefined
  readonly proxies: Proxies | undefined
  /** Maximum number of open live browsers, of this engine and of one team. */
  readonly maxOpen: number
  readonly maxPerTeam: number
  /** How long an ended live browser stays listed, in milliseconds. */
  readonly life: number
  /** Called when a live browser of this engine has ended. */
  readonly hasEnded: (end: EndOfLive, team: string, id: string) => void
  /** Called with the error of a failed connection to the browser of a session. */
  readonly onFault: (fault: unknown, team: string, id: string) => void
}
