import type { Page } from '../plugin/parts.ts'

/** A page, and how it was come by. */
export interface Visit {
  readonly page: Page
  /** When it was loaded. */
  readonly at: number
  /** Absent when the cache was not asked. */
  readonly cacheState: 'hit' | 'miss' | undefined
  /** Nobody but this visit has the body of the page. */
  readonly isSole: boolean
  /** Names this very visit among all kept ones; absent when the page is not one to be kept. */
  readonly version: string | undefined
}
