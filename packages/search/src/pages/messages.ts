import type { SearchHit, SearchQuery } from '@harvestman/ports'

import type { IndexedPage } from './database.ts'

/** What the thread of the index is told. */
export type Order =
  | { readonly kind: 'put'; readonly team: string; readonly page: IndexedPage }
  | { readonly kind: 'find'; readonly id: number; readonly query: SearchQuery; readonly now: number }
  | { readonly kind: 'forget'; readonly id: number; readonly team: string; readonly url?: string | undefined }
  | { readonly kind: 'close'; readonly id: number }

/** What it answers. */
export type Report =
  | { readonly kind: 'taken'; readonly pages: number; readonly lost?: string }
  | { readonly kind: 'done'; readonly id: number; readonly hits: readonly SearchHit[] }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: string }
