import type { SearchHit } from '@harvestman/ports'

import type { IndexQuery, Passage } from './finding.ts'
import type { IndexedPage } from './rows.ts'
import type { PendingChunk } from './vectors.ts'

/** Stores the pages and vectors of teams, and searches them. Each call affects one team only. */
export interface IndexBackend {
  /** Queues a page. It is written soon, and before a later search if that does not take long. Rejects if the queue stays full. */
  put(team: string, page: IndexedPage): Promise<void>
  find(query: IndexQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
  passages(query: IndexQuery, signal: AbortSignal): Promise<readonly Passage[]>
  /** Returns up to `limit` chunks to embed. Deletes all vectors of the team first if they are of another model. */
  pending(wanted: PendingQuery, signal: AbortSignal): Promise<readonly PendingChunk[]>
  /** Stores vectors by the hash of their chunk. Ignores vectors of another model and of deleted chunks. */
  store(vectors: StoredVectors): Promise<void>
  /** Removes one page of a team, or all of them without `url`. */
  forget(what: { readonly team: string; readonly url?: string | undefined }): Promise<void>
  /** Resolves after all queued pages are written. */
  close(): Promise<void>
}

/** The chunks to embed next. */
export interface PendingQuery {
  readonly team: string
  readonly model: string
  readonly limit: number
}

/** Vectors of a model for chunks of a team. */
export interface StoredVectors {
  readonly team: string
  readonly model: string
  readonly vectors: readonly { readonly hash: string; readonly vector: Float32Array }[]
}
