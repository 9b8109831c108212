import type { Listed } from '../plugin/revisit.ts'
import type { CreditHold } from '../credits/hold.ts'

export type { Listed } from '../plugin/revisit.ts'

/** Caller that work is done for. */
export interface Caller {
  readonly team: string
  readonly id: string
  /** The key of this piece of work: the same in every try, and after every restart. */
  readonly task: string
  readonly signal: AbortSignal | undefined
  /** True when the document can be read again later by its id. */
  readonly keep: boolean
  /** Address before the ids of files where they are served. Without it, they are not served. */
  readonly filesAt?: string | undefined
  /** Seed of the ids of its files: the same in every try, and not to be guessed. The ids are random without it. */
  readonly fileKey?: string | undefined
  /** The job on whose behalf pages are loaded, if any. Its pages may share what a browser keeps between them. */
  readonly group?: string | undefined
  /** Nothing on its site leads to the page any more, as far as the job has found. */
  readonly isUnlinked?: boolean | undefined
  /** Time of the last change of the page, by the sitemap that lists it. */
  readonly listed?: Listed | undefined
  /** The API key that is used, for the usage by key. */
  readonly key?: string | undefined
  /** Is called when the work is paid for and begins. */
  readonly begun?: (() => void) | undefined
  /** Credits already set aside for the work; without it, they are set aside when the work begins. */
  readonly hold?: CreditHold | undefined
}
