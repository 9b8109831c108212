import { free, ownBytes } from '@harvestman/ports/values'
import type { OwnedBytes } from '@harvestman/ports'
import type { Entry } from './facts.ts'

/** Documents that this engine has just stored, for a reader that follows the job. Other readers read them from the log. */
export interface RecentDocuments {
  /** Adds the documents of a stored segment; `first` is the number of the first one. They are copied, if a reader follows. */
  add(first: number, entries: readonly Entry[]): void
  /**
   * Removes and returns the documents from number `first` on; the caller frees them. If they are not here, returns none, and
   * caches those from number `size` on for the next call: the caller reads the ones before from the log.
   */
  take(first: number, size: number): readonly OwnedBytes[]
}

// More than a follower falls behind while it processes a document. A slower one reads from the log.
const maxBytes = 2_000_000

/** Creates a cache of at most 2 MB. It is empty until a reader calls `take`, and again if the reader is too slow. */
export function recentDocuments(): RecentDocuments {
  let documents: OwnedBytes[] = []
  let bytes = 0
  /** Number of the next document to cache. */
  let next: number | undefined
  const restart = (from: number | undefined): void => {
    documents.forEach(free)
    documents = []
    bytes = 0
    next = from
  }
  return {
    add: (first, entries) => {
      if (next === undefined) return
      const pages = entries.filter(({ fact }) => fact.is === 'page')
      const size = pages.reduce((sum, { fact }) => sum + (fact.is === 'page' ? fact.bytes : 0), bytes)
      const isComplete = first === next && pages.every(({ document }) => document)
      if (!isComplete || size > maxBytes) return restart(undefined)
      documents.push(...pages.map(({ document = [] }) => ownBytes(Buffer.concat(document))))
      bytes = size
      next += pages.length
    },
    take: (first, size) => {
      if (next === undefined || next - documents.length !== first) {
        restart(size)
        return []
      }
      const taken = documents
      documents = []
      bytes = 0
      return taken
    },
  }
}
