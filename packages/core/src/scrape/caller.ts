import type { Listed } from '../plugin/revisit.ts'
import type { CreditHold } from '../credits/hold.ts'

export type { Listed } from '../plugin/revisit.ts'

/** On whose behalf work is done. */
export interface Caller {
  readonly team: string
  readonly id: string
  /** The key of this piece of work: the same in every try, and after every restart. */
  readonly task: string
  readonly signal: AbortSignal | undefined
  /** Whether the document can be read again later by its id. */
  readonly keep: boolean
  /** Where files are served: the address before their ids. Without it, they are not. */
  readonly filesAt?: string | undefined
  /** What the ids of its files are made from: the same in every try, and not to be guessed. They are random without it. */
  readonly fileKey?: string | undefined
  /** The job on whose behalf pages are loaded, if any. Its pages may share what a browser keeps between them. */
  readonly group?: string | undefined
  /** Nothing on its site leads to the page any more, as far as the job has found. */
  readonly isUnlinked?: boolean | undefined
  /** When the page last changed, by the sitemap that lists it. */
  readonly listed?: Listed | undefined
  /** The API key that is used, for the usage by key. */
  readonly key?: string | undefined
  /** Is called when the work is paid for and begins. */
  readonly begun?: (() => void) | undefined
  /** What is set aside for it already; without it, that is done when the work begins. */
  readonly hold?: CreditHold | undefined
}
