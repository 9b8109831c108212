import { call } from './api.ts'
import { pathOf } from './job.ts'

/** A crawl or a batch of the last day, as a list shows it. */
export interface ListedJob {
  readonly id: string
  readonly kind: 'crawl' | 'batch'
  readonly url: string
  readonly at: string
  /** Absent until it is known. */
  readonly standing?: Standing | undefined
}

export interface Standing {
  readonly status: string
  readonly completed: number
  readonly total: number
  readonly creditsUsed: number
}

interface ActivityRecord {
  readonly id: string
  readonly endpoint: string
  readonly target?: string | null
  readonly created_at?: string
  /** Why it was not begun. */
  readonly refused?: string
}

const kindsByEndpoint: Readonly<Record<string, 'crawl' | 'batch'>> = { crawl: 'crawl', batch_scrape: 'batch' }
const mostAsked = 20
// What has ended stays as it is.
const ended = new Map<string, Standing | undefined>()

/** Lists the jobs of the last day, the newest first. How the first ones stand is asked of each. */
export async function listJobs(signal: AbortSignal): Promise<readonly ListedJob[]> {
  const { data = [] } = await call<{ data?: readonly ActivityRecord[] }>('v2/team/activity?limit=100', { signal })
  const jobs = data.flatMap(({ id, endpoint, target, created_at = '', refused }): readonly ListedJob[] => {
    const kind = kindsByEndpoint[endpoint]
    return kind && refused === undefined ? [{ id, kind, url: target ?? '', at: created_at }] : []
  })
  return Promise.all(
    jobs.map(async (job, index) => ({
      ...job,
      standing: index < mostAsked || ended.has(job.id) ? await standingOf(job, signal) : undefined,
    })),
  )
}

async function standingOf({ kind, id }: ListedJob, signal: AbortSignal): Promise<Standing | undefined> {
  if (ended.has(id)) return ended.get(id)
  try {
    const found = await call<Standing>(`${pathOf(kind, id)}?limit=1`, { signal })
    const { status, completed, total, creditsUsed } = found
    const standing = { status, completed, total, creditsUsed }
    if (status !== 'scraping') ended.set(id, standing)
    return standing
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}
