import { call, callText } from './api.ts'

export interface JobStatus {
  readonly status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
  readonly expiresAt?: string
  readonly message?: string
  readonly warning?: string
}

/** One page of a job, as light as a list of ten thousand needs it. */
export interface PageRow {
  readonly url: string
  readonly title: string
  readonly status: number
  readonly size: number
  readonly scrapeId: string
}

export interface JobFailure {
  readonly id: string
  readonly url: string
  readonly error: string
  readonly code?: string
}

export interface Job {
  readonly status: JobStatus | undefined
  readonly pages: readonly PageRow[]
  readonly errors: readonly JobFailure[]
  readonly robotsBlocked: readonly string[]
}

export const noJob: Job = { status: undefined, pages: [], errors: [], robotsBlocked: [] }

const roots: Readonly<Record<string, string>> = { crawl: 'v2/crawl', batch: 'v2/batch/scrape' }

export function pathOf(kind: string, id: string): string {
  return `${roots[kind] ?? 'v2/crawl'}/${encodeURIComponent(id)}`
}

interface Answer extends JobStatus {
  /** Why it failed. */
  readonly error?: string
  readonly data?: readonly {
    readonly markdown?: string
    readonly html?: string
    readonly metadata: {
      readonly url?: string
      readonly sourceURL?: string
      readonly title?: string
      readonly statusCode?: number
      readonly scrapeId?: string
    }
  }[]
}

const portion = 100

/** Asks for what came since: the pages after those that are known already. */
export async function readOn(kind: string, id: string, known: Job, signal: AbortSignal): Promise<Job> {
  const path = pathOf(kind, id)
  const answer = await call<Answer>(`${path}?skip=${known.pages.length}&limit=${portion}`, {
    signal,
    mayTellFailure: true,
  })
  const pages = (answer.data ?? []).map(({ metadata, markdown, html }): PageRow => ({
    url: metadata.url ?? metadata.sourceURL ?? '',
    title: metadata.title ?? '',
    status: metadata.statusCode ?? 0,
    size: (markdown ?? html ?? '').length,
    scrapeId: metadata.scrapeId ?? '',
  }))
  const { errors, robotsBlocked } = await call<{ errors?: readonly JobFailure[]; robotsBlocked?: readonly string[] }>(
    `${path}/errors`,
    { signal },
  )
  const { status, total, completed, creditsUsed, expiresAt, error, message = error, warning } = answer
  return {
    status: {
      status,
      total,
      completed,
      creditsUsed,
      ...(expiresAt && { expiresAt }),
      ...(message && { message }),
      ...(warning && { warning }),
    },
    pages: pages.length > 0 ? [...known.pages, ...pages] : known.pages,
    errors: errors ?? [],
    robotsBlocked: robotsBlocked ?? [],
  }
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

/** All documents of a job, a line of JSON each. */
export async function readAll(kind: string, id: string): Promise<Blob> {
  const lines: string[] = []
  for (;;) {
    const { data = [] } = await call<{ data?: unknown[] }>(`${pathOf(kind, id)}?skip=${lines.length}&limit=200`)
    lines.push(...data.map((one) => `${JSON.stringify(one)}\n`))
    if (data.length === 0) return new Blob(lines, { type: 'application/jsonl' })
  }
}

/** Whether there is more to ask for. */
export function goesOn({ status, pages }: Job): boolean {
  return status === undefined || status.status === 'scraping' || pages.length < status.completed
}
