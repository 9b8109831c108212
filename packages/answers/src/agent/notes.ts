// Notes that are kept of the run of an agent.
import type { JobWork } from '@harvestman/core/plugin'
import type { Json, LLM, Search, Turn } from '@harvestman/ports'

export type AgentWork = JobWork<AgentNote, { readonly llm: LLM; readonly search: Search | undefined }>

/** Something that an agent did. */
export interface AgentAct {
  readonly action: string
  readonly input: Json
  /** Result in a few words. */
  readonly outcome: string
  readonly isFailure: boolean
  /** Credits that all acts until then have cost. */
  readonly creditsUsed: number
  readonly at: string
}

/** Note on a run: what was said, what was done, and what was found by it. */
export interface AgentNote {
  readonly turn?: Turn
  readonly act?: AgentAct
  readonly findings?: Findings
  readonly tokens?: number
}

/** Findings of an act for the answer, under their address, and the addresses that it showed. */
export interface Findings {
  readonly url: string
  readonly text: string
  readonly urls: readonly string[]
}
