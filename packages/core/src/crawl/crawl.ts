import { tariff } from '../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import type { z } from 'zod'
import type { Job } from '../jobs/handle.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { BeginKit, PageKind } from '../jobs/page-kind.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { Policies } from '../scrape/policies.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import type { CrawlPlanInput } from '../schema/crawl-plan.ts'
import type { CrawlPlan } from '../crawl-plan/crawl-plan.ts'
import { loadSitemapReader } from '@harvestman/site'
import { threatRules } from '../threats/rules.ts'
import type { CrawlKit } from './explore.ts'
import { crawlReadings } from './readings.ts'
import type { ExplainedUrl, ExplainOptions } from './explain.ts'

/** A job that visits a site. */
export interface Crawl<Document = AnyDocument> extends Job<Document> {
  /** Yields each URL found so far, and whether it was visited or why not. */
  explain(options?: ExplainOptions): AsyncIterable<ExplainedUrl>
  /** Options that a language model derived from the prompt, if the crawl was opened with one. */
  readonly plan?: CrawlPlan
}

const kind = 'crawl'

/** Dependencies for starting crawls, in addition to those for exploring a site. */
export interface CrawlKindKit extends CrawlKit {
  readonly policies: Policies
  /** True if no crawl may ignore robots.txt. */
  readonly obeysRobots: boolean
  /** Derives options from a prompt with a language model. */
  readonly planFor: (input: CrawlPlanInput, call: { readonly team: string }) => Promise<CrawlPlan>
}

/**
 * Creates the job kind of a crawl, which discovers the pages of a site from a start URL. Opening one rejects if a policy or the
 * request's lists block the URL, and with `invalid_request` if the engine does not allow `ignoreRobotsTxt` or all options
 * derived from the prompt were rejected.
 */
export function crawlKind(schema: () => z.ZodType<CrawlRequest>, kit: CrawlKindKit): PageKind<CrawlRequest, Crawl> {
  return {
    name: kind,
    publicName: kind,
    findsPages: true,
    schema,
    pages: ({ request }) => (request as CrawlRequest).scrapeOptions,
    remoteReadings: crawlReadings,
    oneOf: ({ url }) => url,
    count: ({ limit, maxCredits }) => ({ least: 1, most: limit, maxCredits, what: 'pages' }),
    begin: (request, begun) => begin(request, begun, kit),
    warmUps: [loadSitemapReader, () => import('./strategy.ts')],
    open: async (opening, context) => {
      const { openStrategy } = await import('./strategy.ts')
      return openStrategy(opening, context, kit)
    },
  }
}

async function begin(
  input: CrawlRequest,
  { caller, jobs, again }: BeginKit<CrawlRequest>,
  { policies, obeysRobots, planFor }: CrawlKindKit,
): Promise<Crawl> {
  const { team } = caller
  const { url, prompt } = input
  await checkPolicies(new URL(url), team, policies)
  threatRules(input.scrapeOptions.threatProtection)?.check(new URL(url))
  const plan = prompt ? await planFor({ url, prompt }, { team }) : undefined
  if (plan) (await import('../crawl-plan/crawl-plan.ts')).requireOptions(plan)
  // Options of the caller override those derived from the prompt.
  const request = plan ? again(plan.options) : input
  if (request.ignoreRobotsTxt && obeysRobots) throw new EngineError('invalid_request', robotsObeyed)
  const left = { notes: [], left: 1, credits: tariff.page }
  const job = await jobs.open({ ...caller, kind, about: request.url, request, ...left })
  return { ...crawlOf(job, team, jobs), ...(plan && { plan }) }
}

const policyTimeout = 15_000

/** Checks the start URL. Rejects with `policy_denied`, or with `timeout` if a policy takes longer than 15 seconds. */
async function checkPolicies(url: URL, team: string, policies: Policies): Promise<void> {
  const signal = AbortSignal.timeout(policyTimeout)
  try {
    await untilAborted(policies.url(url, { team, signal }), signal)
  } catch (error) {
    if (EngineError.is(error) || !signal.aborted) throw error
    const message = 'The policies of this engine took too long to check the start URL. Try again later.'
    throw new EngineError('timeout', message, { cause: error })
  }
}

const robotsObeyed = 'ignoreRobotsTxt is not allowed: this engine follows robots.txt for every page. Remove it.'

/** Returns the handle of a team's crawl. Rejects with `not_found` if there is none, also for a crawl of another team. */
export async function findCrawl(id: string, team: string, jobs: Jobs): Promise<Crawl> {
  return crawlOf(await jobs.find(id, team, { kind, title: kind }), team, jobs)
}

function crawlOf(job: Job, team: string, jobs: Jobs): Crawl {
  return {
    ...job,
    explain: async function* (options) {
      const { explain } = await import('./explain.ts')
      yield* explain(jobs.facts(job.id, team), options)
    },
  }
}
