// Saved state of an agent run, from which it can resume.
import type { Claim, JobWork, CitedVersion } from '@harvestman/core/plugin'
import type { Json, LLM, Search, Turn } from '@harvestman/ports'

export type AgentWork = JobWork<AgentNote, { readonly llm: LLM; readonly search: Search | undefined }>

/** One action of an agent. */
export interface AgentAct {
  readonly action: string
  readonly input: Json
  /** A short description of the result. */
  readonly outcome: string
  readonly isFailure: boolean
  /** Total credits of the run, up to and including this action. */
  readonly creditsUsed: number
  readonly at: string
}

/** One saved step of a run: a turn of the conversation, the action, and its findings. */
export interface AgentNote {
  readonly turn?: Turn
  readonly act?: AgentAct
  readonly findings?: Findings
  readonly tokens?: number
  /** The thread of the run. Only in its first step. */
  readonly thread?: RunThread
  /** Why the run stopped early. */
  readonly stop?: StopReason
  /** Claims of the result, with their citations. */
  readonly claims?: readonly Claim[]
  /** Partial answer of a run that ran out of credits. */
  readonly partial?: Json
}

/** The thread of a run, its turn number, and the earlier turns. */
export interface RunThread {
  readonly id: string
  readonly turn: number
  readonly earlier: readonly { readonly prompt: string; readonly answer: string }[]
}

/** Why a run stopped early. */
export type StopReason = 'credit_limit_reached'

/** Content that an action found, its URL, and the URLs it contained. The final answer is written from these. */
export interface Findings {
  readonly url: string
  readonly text: string
  readonly urls: readonly string[]
  /** The version of the page; absent if it is a list of URLs. */
  readonly version?: CitedVersion
  /** Number of characters of `text` before the Markdown of the page. */
  readonly headLength?: number
}

/**
 * Returns the earlier turns of the thread in one string; empty without a thread. Their results come from pages, so they are untrusted
 * data like pages.
 */
export function earlierIn({ steps }: Pick<AgentWork, 'steps'>): string {
  const { earlier = [] } = steps.find(({ step }) => step.thread)?.step.thread ?? {}
  return earlier.map(({ prompt, answer }) => `User: ${prompt}\nAnswer: ${answer}`).join('\n\n')
}
