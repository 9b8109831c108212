import { EngineError, type Json } from '@harvestman/ports'
import { explainedBlocks } from './readings.ts'
import type { Step, StepLog } from './steps.ts'

/** Explanation of why a document is as it is, in the document of a request that asked for it. */
export interface Explanation {
  /** Decisions and attempts, in order. */
  readonly steps: readonly Step[]
  /** The blocks of the page and the features that decided; absent when no main content was looked for. */
  readonly blocks?: readonly ExplainedBlock[]
  /** Explanations of format values, by the name of the format. */
  readonly formats?: Readonly<Record<string, Json>>
}

/** A block of the page, and whether it was taken for content. */
export interface ExplainedBlock {
  /** Beginning of its text. */
  readonly text: string
  readonly kept: boolean
  /** The chance, from 0 to 1, that it belongs to the main content. */
  readonly score: number
  /** Features that moved the decision most; above zero towards keeping. */
  readonly reasons: readonly { readonly feature: string; readonly value: number; readonly push: number }[]
}

export function explanation(
  log: StepLog | undefined,
  values: Readonly<Record<string, unknown>>,
): { readonly explain?: Explanation } {
  if (!log) return {}
  const found = values[explainedBlocks.field] as readonly ExplainedBlock[] | undefined
  const { steps, formats } = log
  const told = Object.keys(formats).length > 0
  return { explain: { steps, ...(found && found.length > 0 && { blocks: found }), ...(told && { formats }) } }
}

/** A failure says as well how it came about. */
export function explained(failure: EngineError, log: StepLog | undefined): EngineError {
  if (!log) return failure
  const { code, message, details } = failure
  return new EngineError(code, message, { cause: failure, details: { ...details, explain: { steps: log.steps } } })
}
