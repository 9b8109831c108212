import { call, callText } from './api.ts'
import { pageKind, type ListedJob } from './job-list.ts'

/** How a job stands. */
export interface JobStanding extends ListedJob {
  /** Why it failed, or what is odd about it. */
  readonly error?: string
}

/** What became of one address, as light as a list of ten thousand needs it. */
export interface JobRow {
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly url: string
  readonly id?: string
  readonly status?: number
  readonly title?: string
  readonly bytes?: number
  readonly code?: string
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

/** Asks for what came since, until nothing more is there, and shows each part as it comes. Tells whether the job goes on. */
export async function readOn(id: string, known: Job, signal: AbortSignal, show: (job: Job) => void): Promise<boolean> {
  for (let job = known; ;) {
    const query = new URLSearchParams({ limit: String(portion), ...(job.cursor && { cursor: job.cursor }) })
    const path = `v2/jobs/${encodeURIComponent(id)}/rows?${query.toString()}`
    const { job: standing, rows, cursor = job.cursor, hasMore } = await call<RowsAnswer>(path, { signal })
    job = { standing, rows: rows.length > 0 ? [...job.rows, ...rows] : job.rows, cursor }
    show(job)
    if (!hasMore) return standing.status === 'scraping'
  }
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

function isWrong({ outcome, status = 0 }: JobRow): boolean {
  return outcome === 'failed' || status >= 400
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

/** All documents of a job, a line of JSON each. */
export async function readAll(kind: string, id: string): Promise<Blob> {
  const lines: string[] = []
  for (;;) {
    const { data = [] } = await call<{ data?: unknown[] }>(`${pathOf(kind, id)}?skip=${lines.length}&limit=200`)
    lines.push(...data.map((one) => `${JSON.stringify(one)}\n`))
    if (data.length === 0) return new Blob(lines, { type: 'application/jsonl' })
  }
}
