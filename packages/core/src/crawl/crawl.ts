import { tariff } from '../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import type { JobKind } from '../jobs/run/strategy.ts'
import type { Job } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import type { CrawlPlan } from '../crawl-plan/crawl-plan.ts'
import { openStrategy } from './strategy.ts'
import type { CrawlKit } from './explore.ts'
import { explain, type ExplainedAddress, type ExplainOptions } from './explain.ts'

/** A job that visits a site. */
export interface Crawl<Document = AnyDocument> extends Job<Document> {
  /** Says of each address that was met whether it was visited, and why not: as things stand now. */
  explain(options?: ExplainOptions): AsyncIterable<ExplainedAddress>
  /** What a language model made of the prompt, when the crawl was opened with one. */
  readonly plan?: CrawlPlan
}

const crawlKind = 'crawl'

/** Opens a job that visits a site. */
export async function openCrawl(request: CrawlRequest, call: JobCaller, jobs: Jobs): Promise<Crawl> {
  const job = await jobs.open({
    ...call,
    kind: crawlKind,
    about: request.url,
    request,
    notes: [],
    left: 1,
    credits: tariff.page,
  })
  return crawlOf(job, call.team, jobs)
}

/** To a crawl, a job of another kind is not there. */
export async function findCrawl(id: string, team: string, jobs: Jobs): Promise<Crawl> {
  const job = await jobs.find(id, team)
  if (job.kind === crawlKind) return crawlOf(job, team, jobs)
  throw new EngineError('not_found', 'There is no crawl under this id, or it has expired.')
}

export function crawlJobs(kit: CrawlKit): JobKind {
  return {
    name: crawlKind,
    eventPrefix: 'crawl',
    pages: ({ request }) => (request as CrawlRequest).scrapeOptions,
    open: (opening, context) => openStrategy(opening, context, kit),
  }
}

function crawlOf(job: Job, team: string, jobs: Jobs): Crawl {
  return { ...job, explain: (options) => explain(jobs.facts(job.id, team), options) }
}
