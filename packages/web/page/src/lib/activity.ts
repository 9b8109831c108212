import type { ActivityEntry, ActivityPage, CostHour, CostRow } from '@harvestman/client'

import { call } from './api.ts'
import { triedAs } from './draft.ts'
import { pageKind } from './job-list.ts'
import { servedKind } from './kinds.ts'
import { href } from './router.ts'

export async function readCosts(signal: AbortSignal): Promise<readonly CostHour[]> {
  return (await call<{ hours: readonly CostHour[] }>('v2/team/activity/costs', { signal })).hours
}

/** Sums of the rows that have one name in common, the dearest first. */
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

/** Which requests are shown. */
export interface ActivityFilter {
  readonly endpoint: string
  /** How many hours back. */
  readonly hours: number
  /** A part of that time, in milliseconds since 1970. */
  readonly span?: TimeSpan | undefined
}

/** From a moment to another. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The requests that were read, and where to read on. */
export interface ActivityList {
  readonly records: readonly ActivityEntry[]
  readonly cursor: string | undefined
}

const perPage = 100
/** Pages that are read at once. */
const mostPages = 10
const hour = 3_600_000

/** Reads on in the list of requests, until the time range is filled or a good many were read. */
export async function readActivity(
  { endpoint, hours, span }: ActivityFilter,
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ActivityList> {
  const { from: oldest, to: newest } = span ?? { from: Date.now() - hours * hour, to: Infinity }
  const records: ActivityEntry[] = []
  let cursor = from
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({
      limit: String(perPage),
      ...(endpoint && { endpoint }),
      ...(cursor !== undefined && { cursor }),
    })
    const answer = await call<ActivityPage>(`v2/team/activity?${query.toString()}`, { signal })
    const within = answer.data.filter(({ created_at }) => Date.parse(created_at) >= oldest)
    records.push(...within.filter(({ created_at }) => Date.parse(created_at) < newest))
    cursor = answer.cursor ?? undefined
    if (within.length < answer.data.length) cursor = undefined
    if (cursor === undefined) break
  }
  return { records, cursor }
}

/** Names of endpoints whose jobs are kept under another. */
const jobNames: Readonly<Record<string, string>> = { batch_scrape: 'batch' }

/** What opens a live browser, or works in one. */
const browserKinds: ReadonlySet<string> = new Set(['browser', 'interact'])

/** Where what a request made is shown; where nothing is kept, it can be asked for once more. */
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
