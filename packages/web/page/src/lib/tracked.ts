import type { ListedPage } from '@harvestman/client'

import { client } from './api.ts'

export interface TrackedPages {
  /** Last changed first. */
  readonly pages: readonly ListedPage[]
  readonly hasMore: boolean
}

const perPart = 1_000
const mostParts = 20

/**
 * Loads the tracked pages and sorts them, newest first. The server lists them unsorted, so all are loaded, up to
 * 20,000; `hasMore` tells that there are more. Rejects if a request fails.
 */
export async function readTracked(signal: AbortSignal): Promise<TrackedPages> {
  const pages: ListedPage[] = []
  let cursor: string | undefined
  for (let part = 0; part < mostParts; part += 1) {
    const answer = await client.changes.list({ limit: perPart, cursor }, { signal })
    pages.push(...answer.pages)
    cursor = answer.cursor
    if (cursor === undefined) break
  }
  const newestFirst = pages.toSorted((one, other) => (one.newest.firstSeenAt < other.newest.firstSeenAt ? 1 : -1))
  return { pages: newestFirst, hasMore: cursor !== undefined }
}
