import type { SearchHit, SearchQuery } from '@harvestman/ports'

import type { IndexedPage } from './database.ts'

/** A message to the index thread. */
export type Order =
  | { readonly kind: 'put'; readonly team: string; readonly page: IndexedPage }
  | { readonly kind: 'find'; readonly id: number; readonly query: SearchQuery; readonly now: number }
  | { readonly kind: 'forget'; readonly id: number; readonly team: string; readonly url?: string | undefined }
  | { readonly kind: 'close'; readonly id: number }

/** A message from the index thread. */
export type Report =
  | { readonly kind: 'taken'; readonly pages: number; readonly lost?: string }
  | { readonly kind: 'done'; readonly id: number; readonly hits: readonly SearchHit[] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: string }
