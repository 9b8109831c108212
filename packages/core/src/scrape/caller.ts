import type { Reading } from './plan.ts'
import type { Trail } from './trail.ts'
import type { Visit } from './visit.ts'

/** On whose behalf work is done. */
export interface Caller {
  readonly team: string
  readonly id: string
  readonly signal: AbortSignal | undefined
  /** Whether the document can be read again later by its id. */
  readonly keep: boolean
  /** The document is only kept: values in it that nobody looks at on the way may be `Printed`. */
  readonly mayPrint?: boolean
  /** Where files are served: the address before their ids. Without it, nobody serves them. */
  readonly filesAt?: string | undefined
  /** The job on whose behalf pages are loaded, if any. Its pages may share what a browser keeps between them. */
  readonly session?: string | undefined
  /** Where the steps are noted, for who asked why. */
  readonly trail?: Trail | undefined
  /** Whoever goes on from the page wants to know more of it than the document says. */
  readonly looks?: Looks | undefined
}

export interface Looks {
  readonly at: readonly Reading[]
  /** Is told before the document is made. */
  readonly see: (visit: Visit, values: Readonly<Record<string, unknown>>) => void
}
