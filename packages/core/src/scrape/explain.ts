import { EngineError } from '../errors/error.ts'
import type { Caller } from './caller.ts'
import type { ParsedPage } from './parse.ts'
import type { Plan, Reading } from './plan.ts'
import type { Step } from './trail.ts'

/** Why a document is as it is: in the document of a request that asked for it. */
export interface Explanation {
  /** What was decided and tried, in order. */
  readonly steps: readonly Step[]
  /** The blocks of the page and the features that decided; absent when no main content was looked for. */
  readonly blocks?: readonly ExplainedBlock[]
}

export interface ExplainedBlock {
  /** How it begins. */
  readonly text: string
  readonly kept: boolean
  /** The chance, from 0 to 1, that it belongs to the main content. */
  readonly score: number
  /** Features that moved the decision most; above zero towards keeping. */
  readonly reasons: readonly { readonly feature: string; readonly value: number; readonly push: number }[]
}

const blocks: Reading = { field: 'page.explain', name: 'explain', options: null }

/** What is read beside what was asked for, when somebody wants to know why. */
export function explaining(plan: Plan, { trail }: Caller): Plan {
  return trail ? { ...plan, readings: [...plan.readings, blocks] } : plan
}

export function explanation({ trail }: Caller, { values }: ParsedPage): { readonly explain?: Explanation } {
  if (!trail) return {}
  const found = values[blocks.field] as readonly ExplainedBlock[] | undefined
  return { explain: { steps: trail.steps, ...(found && found.length > 0 && { blocks: found }) } }
}

/** A failure says as well how it came about. */
export function explained(failure: EngineError, { trail }: Caller): EngineError {
  if (!trail) return failure
  const { code, message, details } = failure
  return new EngineError(code, message, { cause: failure, details: { ...details, explain: { steps: trail.steps } } })
}
