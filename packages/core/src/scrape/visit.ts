import type { Page } from '../plugin/parts.ts'
import type { Revisited } from '../plugin/revisit.ts'

/** A page without its bytes. */
export type PageHead = Omit<Page, 'body'>

/** A page, and how it was come by. */
export interface Visit {
  readonly page: PageHead
  /** `OwnedBytes` when this visit alone has them. They are empty once the page was read. */
  readonly body: Uint8Array
  /** Time it was loaded, in milliseconds since 1970. */
  readonly at: number
  /** Absent when the cache was not asked. */
  readonly cacheState: 'hit' | 'miss' | undefined
  /** Names this very visit among all kept ones; absent when the page is not one to be kept. */
  readonly version: string | undefined
  /** The way the page was visited, where a kept copy was considered. */
  readonly revisited?: Revisited | undefined
}

/** Rest of a visit once its page was read. */
export type SeenVisit = Omit<Visit, 'body'>
