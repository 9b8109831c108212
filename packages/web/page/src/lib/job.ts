import { call, callText } from './api.ts'
import { pageKind, type ListedJob } from './job-list.ts'
import type { JobRow } from './job-row.ts'

/** How a job stands. */
export interface JobStanding extends ListedJob {
  /** Why it failed, or what is odd about it. */
  readonly error?: string
}

export interface Job {
  readonly standing: JobStanding | undefined
  readonly rows: readonly JobRow[]
  readonly cursor: string | undefined
}

export const noJob: Job = { standing: undefined, rows: [], cursor: undefined }

export function pathOf(kind: string, id: string): string {
  return `${pageKind(kind)?.path ?? 'v2/crawl'}/${encodeURIComponent(id)}`
}

interface RowsAnswer {
  readonly job: JobStanding
  readonly rows: readonly JobRow[]
  readonly cursor?: string
  readonly hasMore: boolean
}

const portion = 2_000
/** Milliseconds between two views of a job that is being read. */
const betweenViews = 250

/** Asks for what came since, until nothing more is there, and shows it as it comes. Tells whether the job goes on. */
export async function readOn(id: string, known: Job, signal: AbortSignal, show: (job: Job) => void): Promise<boolean> {
  let shownAt = -Infinity
  for (let job = known; ;) {
    const query = new URLSearchParams({ limit: String(portion), ...(job.cursor && { cursor: job.cursor }) })
    const path = `v2/jobs/${encodeURIComponent(id)}/rows?${query.toString()}`
    const { job: standing, rows, cursor = job.cursor, hasMore } = await call<RowsAnswer>(path, { signal })
    job = { standing, rows: rows.length > 0 ? [...job.rows, ...rows] : job.rows, cursor }
    // Each view counts all rows.
    if (!hasMore || performance.now() - shownAt > betweenViews) {
      show(job)
      shownAt = performance.now()
    }
    if (!hasMore) return standing.status === 'scraping'
  }
}

/** Reads all rows of a job that has ended, or those that are there. */
export async function readRows(id: string, signal: AbortSignal): Promise<readonly JobRow[]> {
  let last = noJob
  await readOn(id, noJob, signal, (job) => (last = job))
  return last.rows
}

/** The rows of a job by what became of them. Every part of the view counts these, so none can say otherwise than another. */
export interface SortedRows {
  /** Pages that have a document. */
  readonly visited: readonly JobRow[]
  /** Pages that have a document, and those that failed. */
  readonly tried: readonly JobRow[]
  /** How many failed: they have no document. */
  readonly failed: number
  /** Pages that failed, and those that answered with an error. */
  readonly wrong: readonly JobRow[]
  readonly left: readonly JobRow[]
}

export function sortRows(rows: readonly JobRow[]): SortedRows {
  const { visited = [], left = [], failed = [] } = Object.groupBy(rows, ({ outcome }) => outcome)
  const tried = rows.filter(({ outcome }) => outcome !== 'left')
  return { visited, left, tried, failed: failed.length, wrong: tried.filter(isWrong) }
}

/** A page that failed, or answered with an error. */
export function isWrong({ outcome, status = 0 }: JobRow): boolean {
  return outcome === 'failed' || status >= 400
}

const retryStatuses = new Set([408, 425, 429])

/** Whether another try may work: as the server says of a failure, and by the status of a page that was stored. */
export function canRetry({ outcome, retryable, status = 0 }: JobRow): boolean {
  return outcome === 'failed' ? retryable === true : status >= 500 || retryStatuses.has(status)
}

const blockedCodes = new Set(['URL_BLOCKED', 'POLICY_DENIED'])

/** Whether a page that went wrong may work with other options: the server never loads a blocked URL. */
export function mayWorkWithOptions({ outcome, code = '' }: JobRow): boolean {
  return outcome !== 'left' && !blockedCodes.has(code)
}

/** One address that a crawl met. */
export interface MetAddress {
  readonly url: string
  readonly outcome: 'visited' | 'failed' | 'waiting' | 'left'
  readonly reason?: string
  readonly code?: string
  readonly sentence: string
  readonly foundOn?: string
  readonly depth?: number
}

/** Every address that a crawl met, and why it was or was not visited. */
export async function readAddresses(id: string, signal?: AbortSignal): Promise<readonly MetAddress[]> {
  const text = await callText(`${pathOf('crawl', id)}/explain`, signal)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as MetAddress)
}

const unreached = new Set(['ENDED', 'LIMIT'])

/** The job ended before its turn came. */
export function isUnreached({ reason = '' }: MetAddress): boolean {
  return unreached.has(reason)
}
