import { EngineError, type Json } from '@harvestman/ports'
import { explainedBlocks, explainedHidden, explainedMetadata } from './readings.ts'
import type { Step, StepLog } from './steps.ts'

/** Explains how a document was made, if the request asked for it. */
export interface Explanation {
  /** Decisions and attempts, in order. */
  readonly steps: readonly Step[]
  /** The blocks of the page and the features that decided about them. Absent if main content was not extracted. */
  readonly blocks?: readonly ExplainedBlock[]
  /** Text that the page hides when it opens, whether removed from the content or part of it. Absent if there is none. */
  readonly hidden?: readonly ExplainedHidden[]
  /** Where the page states the author, times and names in the metadata, by their names there. */
  readonly metadata?: Readonly<Record<string, Json>>
  /** Explanations of format values, by format. */
  readonly formats?: Readonly<Record<string, Json>>
}

/** A block of the page, and whether it counts as content. */
export interface ExplainedBlock {
  /** Start of its text. */
  readonly text: string
  readonly kept: boolean
  /** Probability, from 0 to 1, that it belongs to the main content. */
  readonly score: number
  /** Features with the most influence. A positive `push` is in favour of keeping. */
  readonly reasons: readonly { readonly feature: string; readonly value: number; readonly push: number }[]
}

/** Text that the page hides when it opens. */
export interface ExplainedHidden {
  /** What hides it, such as `display` or `color`. */
  readonly reason: string
  /** Why it is part of the content, such as `control` for a tab panel. Absent if it was removed. */
  readonly kept?: string
  /** Its start. */
  readonly text: string
  /** Number of characters. */
  readonly length: number
}

/** Returns the `explain` property of a document; an empty object if no explanation was requested. */
export function documentExplanation(
  log: StepLog | undefined,
  values: Readonly<Record<string, unknown>>,
): { readonly explain?: Explanation } {
  if (!log) return {}
  const found = values[explainedBlocks.field] as readonly ExplainedBlock[] | undefined
  const hidden = values[explainedHidden.field] as readonly ExplainedHidden[] | undefined
  const facts = values[explainedMetadata.field] as
    | { readonly evidence: NonNullable<Explanation['metadata']> }
    | undefined
  const { steps, formats } = log
  const hasFormats = Object.keys(formats).length > 0
  return {
    explain: {
      steps,
      ...(found && found.length > 0 && { blocks: found }),
      ...(hidden && hidden.length > 0 && { hidden }),
      ...(facts && Object.keys(facts.evidence).length > 0 && { metadata: facts.evidence }),
      ...(hasFormats && { formats }),
    },
  }
}

/** Returns a copy of a failure with the steps so far in its details. Returns the failure itself if there is no log. */
export function withSteps(failure: EngineError, log: StepLog | undefined): EngineError {
  if (!log) return failure
  const { code, message, details } = failure
  return new EngineError(code, message, { cause: failure, details: { ...details, explain: { steps: log.steps } } })
}
