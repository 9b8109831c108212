import type { ListedJob } from '@harvestman/client'

import { client } from './api.ts'
import { served, titleOf } from './kinds.ts'

export interface JobList {
  readonly jobs: readonly ListedJob[]
  readonly hasMore: boolean
}

interface PageKind {
  readonly name: string
  /** Whether it discovers URLs and explains why each was visited or skipped. */
  readonly explains?: boolean
}

/** Kinds with pages; all others have a single result. */
const withPages: ReadonlyMap<string, PageKind> = new Map([
  ['crawl', { name: 'Crawl', explains: true }],
  ['batch', { name: 'Batch' }],
])

/** Returns the settings of a kind of job that has pages; `undefined` for other kinds. */
export function pageKind(kind: string): PageKind | undefined {
  return withPages.get(kind)
}

/** Returns the display name of each kind of job. */
export function kindNames(): Readonly<Record<string, string>> {
  const ours = [...withPages].map(([kind, { name }]) => [kind, name])
  return Object.fromEntries([...ours, ...(served.value ?? []).map((kind) => [kind.kind, titleOf(kind)])])
}

export const statusNames: Readonly<Record<ListedJob['status'], string>> = {
  scraping: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const outcomeNames: Readonly<Record<ListedJob['outcome'], string>> = {
  ...statusNames,
  completed_with_failures: 'Completed with failures',
}

export interface JobFilter {
  readonly kind: string
  readonly status: string
}

const perPage = 100

/** Lists the newest jobs, at most `pages` pages of 100. An unknown filter is ignored. Rejects if a request fails. */
export async function listJobs({ kind, status }: JobFilter, pages: number, signal: AbortSignal): Promise<JobList> {
  const query = new URLSearchParams({ limit: String(perPage) })
  if (Object.hasOwn(kindNames(), kind)) query.set('kind', kind)
  if (status in statusNames) query.set('status', status)
  const jobs: ListedJob[] = []
  for (let page = 0; page < pages; page += 1) {
    const path = `/v2/jobs?${query.toString()}`
    const answer = await client.request<{ jobs: readonly ListedJob[]; cursor?: string }>(path, { signal })
    jobs.push(...answer.jobs)
    if (answer.cursor === undefined) return { jobs, hasMore: false }
    query.set('cursor', answer.cursor)
  }
  return { jobs, hasMore: true }
}
