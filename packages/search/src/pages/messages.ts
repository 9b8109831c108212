import type { SearchHit } from '@harvestman/ports'

import type { FoundPage, IndexQuery, Passage } from './finding.ts'
import type { IndexedPage } from './rows.ts'
import type { ByteVector, PendingChunk } from './vectors.ts'
import type { Terms } from './words.ts'

/** The result of each kind of question. */
export interface Results {
  readonly find: readonly SearchHit[]
  readonly passages: readonly Passage[]
  readonly pending: readonly PendingChunk[]
  readonly store: undefined
  readonly forget: undefined
  readonly close: undefined
  readonly jsons: readonly string[]
  readonly hits: readonly SearchHit[]
}

/** The values of each kind of question. */
interface Questions {
  readonly find: IndexQuery
  readonly passages: IndexQuery
  readonly pending: { readonly team: string; readonly model: string; readonly limit: number }
  readonly store: {
    readonly team: string
    readonly model: string
    readonly vectors: readonly { readonly hash: string; readonly vector: ByteVector }[]
  }
  readonly forget: { readonly team: string; readonly url?: string | undefined }
  readonly close: object
  /** Asks for the rows of pages for Postgres. */
  readonly jsons: { readonly pages: readonly IndexedPage[] }
  /** Asks for the hits of pages that were found in Postgres. */
  readonly hits: { readonly found: readonly FoundPage[]; readonly terms: Terms }
}

export type Kind = keyof Results

/** A question to the index thread. */
export type Question = { readonly [K in Kind]: { readonly kind: K } & Questions[K] }[Kind]

/** A message to the index thread. */
export type Order =
  | { readonly kind: 'put'; readonly team: string; readonly page: IndexedPage }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'cancel'; readonly id: number }

/** A message from the index thread. */
export type Report =
  | { readonly kind: 'taken'; readonly pages: number; readonly lost?: string }
  | { readonly kind: 'done'; readonly id: number; readonly result: Results[Kind] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: string }
  | { readonly kind: 'cancelled'; readonly id: number }
