import type { ActivityEntry, CostHour, CostRow } from '@harvestman/client'

import { client } from './api.ts'
import { triedAs } from './draft.ts'
import { pageKind } from './job-list.ts'
import { servedKind } from './kinds.ts'
import { href } from './router.ts'

/** Sums up rows with the same name, most expensive first. Rows without a name are omitted. */
export function sumsBy(
  hours: readonly CostHour[],
  nameOf: (row: CostRow) => string | undefined,
): readonly (Omit<CostRow, 'endpoint' | 'key'> & { readonly name: string })[] {
  const sums = new Map<string, { requests: number; failed: number; credits: number; ms: number }>()
  for (const row of hours.flatMap(({ rows }) => rows)) {
    const name = nameOf(row)
    if (name === undefined) continue
    const sum = sums.get(name) ?? { requests: 0, failed: 0, credits: 0, ms: 0 }
    for (const one of ['requests', 'failed', 'credits', 'ms'] as const) sum[one] += row[one]
    sums.set(name, sum)
  }
  return [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .toSorted((one, other) => other.credits - one.credits || other.ms - one.ms)
}

/** Filter of the request list. */
export interface ActivityFilter {
  readonly endpoint: string
  /** Number of hours back. */
  readonly hours: number
  /** A part of that time. */
  readonly span?: TimeSpan | undefined
}

/** A time range, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The loaded requests, and the cursor of the next page. */
export interface ActivityList {
  readonly records: readonly ActivityEntry[]
  readonly cursor: string | undefined
}

const perPage = 100
/** Maximum number of pages that are loaded at once. */
const mostPages = 10
const hour = 3_600_000

/**
 * Loads requests, newest first, until the time range is covered or the maximum number of pages is reached. With
 * `from`, continues at this cursor; the result has a `cursor` if there are more. Rejects if a request fails.
 */
export async function readActivity(
  { endpoint, hours, span }: ActivityFilter,
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ActivityList> {
  const { from: oldest, to: newest } = span ?? { from: Date.now() - hours * hour, to: Infinity }
  const records: ActivityEntry[] = []
  let cursor = from
  for (let page = 0; page < mostPages; page += 1) {
    const query = { limit: perPage, endpoint: endpoint || undefined, cursor }
    const answer = await client.activity.list(query, { signal })
    const within = answer.data.filter(({ created_at }) => Date.parse(created_at) >= oldest)
    records.push(...within.filter(({ created_at }) => Date.parse(created_at) < newest))
    cursor = answer.cursor ?? undefined
    if (within.length < answer.data.length) cursor = undefined
    if (cursor === undefined) break
  }
  return { records, cursor }
}

/** Job kinds whose name differs from their endpoint's. */
const jobNames: Readonly<Record<string, string>> = { batch_scrape: 'batch' }

/** Endpoints that open or use a live browser. */
const browserKinds: ReadonlySet<string> = new Set(['browser', 'interact'])

/**
 * Returns the link to the result of a request. Without a stored result, links to the form with the same request.
 * Returns `undefined` if neither is possible.
 */
export function madeBy({ id, endpoint, target, refused }: ActivityEntry): string | undefined {
  const kind = jobNames[endpoint] ?? endpoint
  if (refused === undefined) {
    if (pageKind(kind) || servedKind(kind)) return href(['jobs', kind, id])
    if (triedAs(kind)?.pageIn === 'request') return href(['page', id])
    if (browserKinds.has(kind)) return href(['browsers', id])
  }
  if (!triedAs(kind) || !target) return undefined
  return href(['try'], { request: JSON.stringify({ kind, url: target }) })
}
