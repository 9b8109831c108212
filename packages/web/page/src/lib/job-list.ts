import { call } from './api.ts'

/** A job of the team, as the server lists it. */
export interface ListedJob {
  readonly id: string
  readonly kind: string
  readonly status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  /** Its address, or its words. */
  readonly about?: string
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly creditsUsed: number
  readonly createdAt: string
}

export interface JobList {
  readonly jobs: readonly ListedJob[]
  readonly hasMore: boolean
}

/** What jobs of each kind are called. */
export const kindNames: Readonly<Record<string, string>> = {
  crawl: 'Crawl',
  batch: 'Many pages',
  extract: 'Extract',
  agent: 'Agent',
  deep_research: 'Research',
  llmstxt: 'llms.txt',
}

export const statusNames: Readonly<Record<ListedJob['status'], string>> = {
  scraping: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export interface JobFilter {
  readonly kind: string
  readonly status: string
}

const perPage = 100

/** Lists the newest jobs, so many pages of the list at most. */
export async function listJobs({ kind, status }: JobFilter, pages: number, signal: AbortSignal): Promise<JobList> {
  const query = new URLSearchParams({ limit: String(perPage) })
  if (kind in kindNames) query.set('kind', kind)
  if (status in statusNames) query.set('status', status)
  const jobs: ListedJob[] = []
  for (let page = 0; page < pages; page += 1) {
    const answer = await call<{ jobs: readonly ListedJob[]; cursor?: string }>(`v2/jobs?${query.toString()}`, {
      signal,
    })
    jobs.push(...answer.jobs)
    if (answer.cursor === undefined) return { jobs, hasMore: false }
    query.set('cursor', answer.cursor)
  }
  return { jobs, hasMore: true }
}
