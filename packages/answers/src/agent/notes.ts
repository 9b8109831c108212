// What is kept of the run of an agent.
import type { JobWork } from '@harvestman/core/plugin'
import type { Json, LLM, Search, Turn } from '@harvestman/ports'

export type AgentWork = JobWork<AgentNote, { readonly llm: LLM; readonly search: Search | undefined }>

/** Something that an agent did. */
export interface AgentAct {
  readonly action: string
  readonly input: Json
  /** In a few words what came of it. */
  readonly outcome: string
  readonly isFailure: boolean
  /** What all until then has cost. */
  readonly creditsUsed: number
  readonly at: string
}

/** What is kept of a run: what was said, what was done, and what was found by it. */
export interface AgentNote {
  readonly turn?: Turn
  readonly act?: AgentAct
  readonly findings?: Findings
  readonly tokens?: number
}

/** What an act brought for the answer, under its address, and which addresses it showed. */
export interface Findings {
  readonly url: string
  readonly text: string
  readonly urls: readonly string[]
}
