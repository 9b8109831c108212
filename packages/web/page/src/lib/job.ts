import type { ExplainedUrl, Job as ClientJob, JobRow, ListedJob } from '@harvestman/client'

import type { Document } from './document.ts'
import { client } from './api.ts'

export interface Job {
  readonly standing: ListedJob | undefined
  readonly rows: readonly JobRow[]
  readonly cursor: string | undefined
}

export const noJob: Job = { standing: undefined, rows: [], cursor: undefined }

/** Returns the client's handle of a crawl or a batch. Does not check that it exists. */
export function jobOf(kind: string, id: string): ClientJob<Document> {
  return kind === 'batch' ? client.findBatch(id) : client.findCrawl(id)
}

const portion = 2_000
/** Minimum milliseconds between two renderings while a job is loading. */
const betweenViews = 250

/**
 * Loads new rows until there are no more, and calls `show` as they arrive. Resolves to whether the job is still
 * running. Rejects if a request fails.
 */
export async function readOn(id: string, known: Job, signal: AbortSignal, show: (job: Job) => void): Promise<boolean> {
  let shownAt = -Infinity
  for (let job = known; ;) {
    const asked = { limit: portion, cursor: job.cursor }
    const { job: standing, rows, cursor = job.cursor, hasMore } = await client.jobRows(id, asked, { signal })
    job = { standing, rows: rows.length > 0 ? [...job.rows, ...rows] : job.rows, cursor }
    // Throttle, because each rendering counts all rows.
    if (!hasMore || performance.now() - shownAt > betweenViews) {
      show(job)
      shownAt = performance.now()
    }
    if (!hasMore) return standing.status === 'scraping'
  }
}

/** Loads all rows that a job has so far. Rejects if a request fails. */
export async function readRows(id: string, signal: AbortSignal): Promise<readonly JobRow[]> {
  let last = noJob
  await readOn(id, noJob, signal, (job) => (last = job))
  return last.rows
}

/** Rows of a job by outcome. All parts of the view use these lists, so that their counts agree. */
export interface SortedRows {
  /** Pages with a document. */
  readonly visited: readonly JobRow[]
  /** Pages with a document, and failed pages. */
  readonly tried: readonly JobRow[]
  /** Number of pages that failed and have no document. */
  readonly failed: number
  /** Failed pages, and pages with an error status. */
  readonly wrong: readonly JobRow[]
  readonly left: readonly JobRow[]
}

/** Groups the rows of a job by outcome. */
export function sortRows(rows: readonly JobRow[]): SortedRows {
  const { visited = [], left = [], failed = [] } = Object.groupBy(rows, ({ outcome }) => outcome)
  const tried = rows.filter(({ outcome }) => outcome !== 'left')
  return { visited, left, tried, failed: failed.length, wrong: tried.filter(isWrong) }
}

/** Returns whether a page failed or has an error status. */
export function isWrong({ outcome, status = 0 }: JobRow): boolean {
  return outcome === 'failed' || status >= 400
}

const retryStatuses = new Set([408, 425, 429])

/** Returns whether a retry may succeed: as the server reports for a failure, else by the status of the stored page. */
export function canRetry({ outcome, retryable, status = 0 }: JobRow): boolean {
  return outcome === 'failed' ? retryable === true : status >= 500 || retryStatuses.has(status)
}

const blockedCodes = new Set(['URL_BLOCKED', 'POLICY_DENIED'])

/** Returns whether a failed page may succeed with other options. Blocked URLs never do. */
export function mayWorkWithOptions({ outcome, code = '' }: JobRow): boolean {
  return outcome !== 'left' && !blockedCodes.has(code)
}

/** Returns every URL that a crawl found, and why it was visited or not. Rejects if the crawl does not exist. */
export async function readAddresses(id: string, signal?: AbortSignal): Promise<readonly ExplainedUrl[]> {
  const found: ExplainedUrl[] = []
  for await (const one of client.findCrawl(id).explain({ signal })) found.push(one)
  return found
}

const unreached = new Set(['ENDED', 'LIMIT'])

/** Returns whether the job ended before it reached the URL. */
export function isUnreached({ reason = '' }: ExplainedUrl): boolean {
  return unreached.has(reason)
}
