import type { Listed } from '../plugin/revisit.ts'
import type { CreditHold } from '../credits/hold.ts'

export type { Listed } from '../plugin/revisit.ts'

/** The caller for whom an operation runs. */
export interface Caller {
  readonly team: string
  readonly id: string
  /** Key of the operation, the same for every attempt and after every restart. */
  readonly task: string
  readonly signal: AbortSignal | undefined
  /** True if the document can be fetched later by its id. */
  readonly keep: boolean
  /** Base URL at which files are served. Without it, they are not served. */
  readonly filesAt?: string | undefined
  /** Secret seed for the ids of its files, the same for every attempt. Without it, the ids are random. */
  readonly fileKey?: string | undefined
  /** Job for which pages are loaded, if any. Its pages may share a browser context. */
  readonly group?: string | undefined
  /** True if further pages are loaded for the same request at the same time, so that none of them saves a profile. */
  readonly isOneOfMany?: boolean | undefined
  /** True if no link found by the job leads to the page any more. */
  readonly isUnlinked?: boolean | undefined
  /** When the page last changed, according to the sitemap or feed that lists it. */
  readonly listed?: Listed | undefined
  /** API key of the request, for usage statistics by key. */
  readonly key?: string | undefined
  /** Called when the credits are reserved and the work starts. */
  readonly begun?: (() => void) | undefined
  /** Existing credit reservation. Without it, credits are reserved when the work starts. */
  readonly hold?: CreditHold | undefined
}
