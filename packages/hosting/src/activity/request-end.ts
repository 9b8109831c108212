import type { RequestNote } from '@harvestman/core/plugin'

/** Result of a request. */
export interface RequestEnd {
  readonly id: string
  /** Duration in milliseconds. */
  readonly ms: number
  readonly credits: number
  /** When the request was recorded, in ms since 1970; absent until the request is found. */
  readonly at?: number | undefined
  /** The error code, or `failed` or `cancelled`; absent on success. */
  readonly failed?: string | undefined
  /** Number of pages of a job that failed; absent without any. */
  readonly failedPages?: number | undefined
}

/** A running request. */
export type BegunRequest = Pick<RequestNote, 'id' | 'team' | 'endpoint' | 'key'> & { readonly at: number }
