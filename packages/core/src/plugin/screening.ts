// Port of the check for prompt injection, which a plugin provides.
import type { Json, LLM } from '@harvestman/ports'

import type { PageReading } from './field.ts'
import { definePort } from './port.ts'

/** Checks pages for instructions to a language model. */
export interface Screening {
  /** Reads the page in the reader thread. Its option `withText` is true if a language model will read the text as well. */
  readonly reading: PageReading
  /** Judges the values of the reading: of the page, and of the results of its actions. Rejects only after an abort. */
  judge(values: readonly unknown[], context: ScreeningContext): Promise<ScreeningVerdict>
}

/** Context in which a page is judged. */
export interface ScreeningContext {
  readonly url: string
  /** The language model, if the engine has one. */
  readonly llm: LLM | undefined
  readonly signal: AbortSignal
}

/** Result of the check of a page. */
export interface ScreeningVerdict {
  /** Instructions in the page, with their places. Empty if there are none. */
  readonly found: readonly Json[]
  /** A sentence that describes the first one. */
  readonly description?: string | undefined
  /** True if all of the page was checked. */
  readonly isComplete: boolean
  /** A sentence about what was not checked, for the warning of the document. */
  readonly warning?: string | undefined
}

/** Port of the check for prompt injection. */
export const screeningPort = definePort<Screening>({
  name: 'screening',
  description: 'a check for prompt injection',
  remedy: 'Add data() of @harvestman/data to plugins.',
})
