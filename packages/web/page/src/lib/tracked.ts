import { call } from './api.ts'

/** A tracked page with its newest version. */
export interface TrackedPage {
  readonly url: string
  readonly tag: string | null
  readonly newest: {
    readonly version: number
    readonly firstSeenAt: string
    readonly lastSeenAt: string
    readonly checks: number
    readonly isRemoved: boolean
  }
}

export interface TrackedPages {
  /** Last changed first. */
  readonly pages: readonly TrackedPage[]
  readonly hasMore: boolean
}

const perPart = 1_000
const mostParts = 20

/** Loads the tracked pages and sorts them. The server lists them unsorted, so all are loaded, up to 20,000. */
export async function readTracked(signal: AbortSignal): Promise<TrackedPages> {
  const pages: TrackedPage[] = []
  let cursor: string | undefined
  for (let part = 0; part < mostParts; part += 1) {
    const query = new URLSearchParams({ limit: String(perPart), ...(cursor !== undefined && { cursor }) })
    const answer = await call<{ pages: readonly TrackedPage[]; cursor?: string }>(
      `v2/changes/pages?${query.toString()}`,
      { signal },
    )
    pages.push(...answer.pages)
    cursor = answer.cursor
    if (cursor === undefined) break
  }
  const newestFirst = pages.toSorted((one, other) => (one.newest.firstSeenAt < other.newest.firstSeenAt ? 1 : -1))
  return { pages: newestFirst, hasMore: cursor !== undefined }
}
