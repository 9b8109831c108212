// Runs the targets of a check.
import { openBaselines } from '../check/baseline.ts'
import { jobOf, pagesOf, type TargetJob } from '../check/page-request.ts'
import { EngineError } from '@harvestman/ports'
import type { MonitorKit } from '../kit.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { Target } from '../requests/targets.ts'
import { LeftCheck } from './fault.ts'
import { openPaces, type Paces } from './pace.ts'
import { pageOf, takePages, type TargetWork } from './pages.ts'
import { takeSearch } from './search.ts'
import type { CheckWriter } from './writer.ts'

/** The result of a target: its price, its entry in the check, and the error if it failed. */
export interface TargetEnd {
  readonly credits: number
  readonly told: { readonly [name: string]: string | number | boolean | readonly string[] }
  readonly fault?: string
}

type PageTarget = Exclude<Target, { readonly type: 'search' }>
type Work = { readonly record: MonitorRecord; readonly writer: CheckWriter; readonly kit: MonitorKit }

/** Maximum number of known pages that a crawl did not reach and that a check visits separately. */
const maxUnreachedPages = 1_000

/**
 * Runs one target. `maxCredits` limits its cost, if it is set. Returns its credits and what the check reports about it; `fault`
 * is the message of a job that did not complete. Rejects if the job of the target cannot be run.
 */
export async function takeTarget(target: Target, maxCredits: number | undefined, work: Work): Promise<TargetEnd> {
  const { record, kit } = work
  const baselines = openBaselines(kit.store, record.id, target.id, kit.keep.changes)
  if (target.type === 'search') {
    const { credits, told } = await takeSearch({ ...work, target, baselines })
    return { credits, told: { targetId: target.id, type: 'search', ...told } }
  }
  const pages = { ...work, baselines }
  if (target.type === 'scrape' && target.revisitWithin !== undefined && target.incremental !== true)
    return takeInPace(target, target.revisitWithin, maxCredits, pages)
  // A manual check covers all pages.
  const isAsked = work.writer.check.trigger === 'manual'
  return takePageTarget(isAsked ? { ...target, revisitWithin: undefined } : target, maxCredits, pages)
}

type PagesWork = Work & Pick<TargetWork, 'baselines'>

/** Checks only the pages that are due. The others are reported as unchanged, at no cost. */
async function takeInPace(
  target: Extract<Target, { readonly type: 'scrape' }>,
  most: number,
  maxCredits: number | undefined,
  work: PagesWork,
): Promise<TargetEnd> {
  const { record, writer, kit } = work
  const { id: check, scheduledFor, createdAt } = writer.check
  const of = { monitor: record.id, target: target.id, check, now: scheduledFor ?? createdAt }
  const paces = openPaces(kit.store, { ...of, most, life: kit.keep.changes })
  const urls = [...new Set(target.urls)]
  // A manual check covers all pages.
  const { due, resting } = writer.check.trigger === 'manual' ? { due: urls, resting: [] } : await paces.split(urls)
  const written = writer.written(target.id)
  const same = resting.filter(({ url }) => !written.has(url))
  await writer.add(
    same.map(({ url, at, scrapeId }) =>
      pageOf(
        url,
        { ...work, target: target.id },
        {
          ...{ status: 'same', previousScrapeId: scrapeId, currentScrapeId: scrapeId },
          metadata: { lookedAt: new Date(at).toISOString() },
        },
      ),
    ),
  )
  if (due.length > 0) return takePageTarget({ ...target, urls: [...due] }, maxCredits, work, paces)
  return { credits: 0, told: { targetId: target.id, type: 'scrape', expectedJobs: [] } }
}

async function takePageTarget(
  target: PageTarget,
  maxCredits: number | undefined,
  work: PagesWork,
  paces?: Paces,
): Promise<TargetEnd> {
  const { record, baselines, writer } = work
  const taken = (job: TargetJob, name: string) =>
    takeJob(job, `${target.id}/${name}`, { ...work, target: target.id, job, paces })
  const first = await taken(jobOf(target, record.change, maxCredits), 'pages')
  const told = target.type === 'scrape' ? { expectedJobs: [first.id] } : { crawlId: first.id }
  const end = { told: { targetId: target.id, type: target.type, ...told } }
  const fault =
    first.status === 'completed' ? {} : { fault: first.message ?? `The ${target.type} was ${first.status}.` }
  if (target.type === 'scrape' || first.status !== 'completed')
    return { ...end, credits: first.credits + writer.judged(target.id), ...fault }
  const known = await baselines.knownBefore(writer.check.id)
  const unmet = known.filter((url) => !first.seen.has(url)).slice(0, maxUnreachedPages)
  const left = maxCredits === undefined ? undefined : maxCredits - first.credits - writer.judged(target.id)
  const more =
    unmet.length > 0 && (left ?? 1) > 0 ? await taken(pagesOf(target, unmet, record.change, left), 'unmet') : undefined
  const gone = new Set(
    [...writer.written(target.id).values()].filter(({ status }) => status === 'removed').map(({ url }) => url),
  )
  await baselines.know(
    writer.check.id,
    [...new Set([...known, ...first.seen])].filter((url) => !gone.has(url)),
  )
  return { ...end, credits: first.credits + writer.judged(target.id) + (more?.credits ?? 0) }
}

/** Starts or resumes a job. The idempotency key ensures that each check has only one, whichever engine runs it. */
async function takeJob({ kind, request }: TargetJob, name: string, work: TargetWork) {
  const { record, writer, kit } = work
  const key = ['monitor', writer.check.id, name].join('/')
  const call = { team: record.team, label: record.name, idempotencyKey: key }
  const job = await kit.engine.unchecked[kind](request, call)
  try {
    const seen = await takePages(job, work)
    // A store put back to an earlier state may have the job run again.
    const { status, creditsUsed: credits, message } = await job.end({ signal: kit.signal })
    return { id: job.id, seen, status, credits, message }
  } catch (error) {
    if (error instanceof LeftCheck && !(await kit.monitors.get(record.id))) await job.cancel()
    throw isLost(error) ? lostJob(error) : error
  }
}

const isLost = (error: unknown): boolean => EngineError.is(error) && error.code === 'not_found'

/** A store that was restored from a backup may lack the job. The error is retryable, and the retry starts the job again. */
function lostJob(cause: unknown): EngineError {
  return new EngineError('store_failed', 'The store has lost a job of this check.', { cause })
}
