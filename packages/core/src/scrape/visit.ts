import type { Page } from '../plugin/parts.ts'
import type { Revisited } from '../plugin/revisit.ts'

/** A page without its body and the state of the browser. */
export type PageHead = Omit<Page, 'body' | 'state'>

/** A page and how it was obtained. */
export interface Visit {
  readonly page: PageHead
  /** `OwnedBytes` if only this visit uses them. They are empty once the page has been read. */
  readonly body: Uint8Array
  /** When the page was loaded, in milliseconds since 1970. */
  readonly at: number
  /** Absent if the cache was not used. */
  readonly cacheState: 'hit' | 'miss' | undefined
  /** Identifies this visit among all cached ones. Absent if the page must not be cached. */
  readonly version: string | undefined
  /** True if the profile of the request was saved after the actions, so that a live browser continues at the last URL. */
  readonly savedProfile?: boolean | undefined
  /** How the page was revisited, if there was a cached copy. */
  readonly revisited?: Revisited | undefined
}

/** A visit after its page was read. */
export type SeenVisit = Omit<Visit, 'body'>
