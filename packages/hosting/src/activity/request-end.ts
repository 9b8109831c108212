import type { RequestNote } from '@harvestman/core/plugin'

/** How a request ended. */
export interface RequestEnd {
  readonly id: string
  /** Milliseconds that it took. */
  readonly ms: number
  readonly credits: number
  /** When the request was noted; absent until its request is found. */
  readonly at?: number | undefined
  /** The code of the error with which it ended, or `failed` or `cancelled`. */
  readonly failed?: string | undefined
  /** How many pages of a job failed; absent when none did. */
  readonly failedPages?: number | undefined
}

/** What is known of a request while it goes on. */
export type BegunRequest = Pick<RequestNote, 'id' | 'team' | 'endpoint' | 'key'> & { readonly at: number }
