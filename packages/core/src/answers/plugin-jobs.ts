// Opens, prices and finds jobs of the kinds that plugins add.
import { makeVisitStart } from '../batch/strategy.ts'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { JobData } from '../jobs/log/facts.ts'
import { pagePricing, tokenPricing, type Pricing } from '../credits/pricing.ts'
import type { JobPart, JobThread, KeptStep, PriceKit } from '../plugin/job.ts'
import type { JobVisits, SiteOptions, VisitOutcome } from '../plugin/job-pages.ts'
import type { Preview } from '../plugin/price.ts'
import type { PageRequest } from '../schema/crawl.ts'
import { check } from '../schema/problems.ts'
import { recentlyUsed, type RecentlyUsed } from '@harvestman/toolbox/recently-used'
import { storesNothing } from '../schema/record.ts'
import { endpointOf } from '../schema/team.ts'
import { answerJob, answerOf } from './answer.ts'
import { readJobAnswer, pagesRead, parseJobRequest } from './kind-of-part.ts'
import { checkThreats, listsIn, type ThreatLists } from '../threats/rules.ts'
import { requirePorts } from './part-ports.ts'
import { unknownKind } from '../lib/unknown-kind.ts'
import type { Threads } from '../jobs/threads.ts'
import type { PartJob, PartStatus } from './part-job.ts'
import { makeTurns } from './turns.ts'

export interface PluginJobsOptions {
  readonly parts: readonly JobPart[]
  readonly jobs: Jobs
  readonly ports: ReadonlyMap<string, unknown>
  /** Fills in the defaults of the options of a page. */
  readonly pageOptions: (options: Readonly<Record<string, unknown>>) => PageRequest
  readonly pagePrice: (options: Readonly<Record<string, unknown>>, pricing: Pricing) => Preview
  /** Returns the URLs of a site. */
  readonly siteUrls: (site: WantedSite, team: string) => Promise<readonly string[]>
  /** Returns the URLs that a search finds. */
  readonly search: (
    words: string,
    limit: number,
    team: string,
    lists: ThreatLists | undefined,
  ) => Promise<readonly string[]>
  /** Returns the lists that apply to the work of a request: its own, or else the team's. */
  readonly listsOf: (team: string, own: ThreatLists | undefined) => Promise<ThreatLists | undefined>
  readonly threads: Threads
}

/** A site whose URLs are requested, and their maximum number. */
export interface WantedSite extends SiteOptions {
  readonly url: string
  readonly limit: number
  readonly threatProtection?: ThreatLists | undefined
  /** The profile of its pages. */
  readonly profile?: unknown
}

/** Entry points for the jobs of the kinds that plugins add. */
export interface PluginJobs {
  /** Returns the kind with this name. The error lists the available kinds. */
  part(kind: string): JobPart
  /** Opens a job, possibly of another kind if the request demands it. `checkGroup` may reject either kind. */
  open(part: JobPart, input: unknown, call: JobCaller, checkGroup: (group: string) => void): Promise<PartJob>
  find(part: JobPart, id: string, team: string): Promise<PartJob>
  findThread(part: JobPart, id: string, team: string): Promise<JobThread<PartStatus>>
  price(part: JobPart, input: unknown): Preview
}

/**
 * Creates the entry points for the jobs of the kinds that plugins add. `part` throws `invalid_request` for an unknown kind. The
 * others fail with `invalid_request` for an invalid request, `not_configured` if the request needs a missing port, and
 * `not_found` for an unknown job; methods that return a promise reject. `open` also rejects with `unsafe_domain_blocked` for a
 * blocked URL, and with `insufficient_credits`.
 */
export function makePluginJobs({ parts, jobs, ports, threads, ...site }: PluginJobsOptions): PluginJobs {
  const ended = recentlyUsed<string, string>(endedProgress, { sizeOf: (text) => text.length })
  const byKind = new Map(parts.map((part) => [part.kind, part]))
  const hold = (part: JobPart, job: Job, team: string): PartJob =>
    answerJob(job, (status) => statusOf(part, { job, status, team, jobs, ended }))
  const partOf = (kind: string): JobPart => {
    const part = byKind.get(kind)
    if (part) return part
    throw unknownKind(kind, [...byKind.keys()])
  }
  const priceKit = ({ requires, uses, way }: JobPart): PriceKit => ({
    page: (options = {}) => site.pagePrice(options, way.is === 'visits' && way.byTokens ? tokenPricing : pagePricing),
    has: (name) => ports.has({ ...uses, ...requires }[name]?.name ?? ''),
  })
  const priced = (part: JobPart, request: unknown): Preview => {
    requirePorts(part, request, ports)
    return part.price(request, priceKit(part))
  }
  const openWork = async (
    part: JobPart,
    request: unknown,
    call: JobCaller,
    context: readonly JobData[] = [],
  ): Promise<PartJob> => {
    const { min } = priced(part, request)
    const about = part.target?.(request) ?? String((request as Readonly<Record<string, unknown>>)[part.about])
    const { kind, way } = part
    const lists = await site.listsOf(call.team, listsIn(request))
    checkThreats((request as { readonly urls?: unknown }).urls, lists)
    const opening =
      way.is === 'work'
        ? { request: request as JobData, notes: [], context, left: 1, credits: part.holds?.(request) ?? min }
        : await visitsOf(way, request, { min, team: call.team, lists, ...site })
    return hold(part, await jobs.open({ ...opening, ...call, kind, about }), call.team)
  }
  const open: PluginJobs['open'] = async (part, input, call, checkGroup) => {
    checkGroup(endpointOf(part.kind))
    const request = check(part.request, input)
    priced(part, request)
    const other = part.instead?.(request)
    if (other) return open(partOf(other.kind), other.request, call, checkGroup)
    return part.threads ? turns.open(part, part.threads, input, call) : openWork(part, request, call)
  }
  const turns = makeTurns({
    ...{ jobs, threads, openWork },
    statusOf: (turn, parts) => statusOf(turn, { ...parts, ended }),
  })
  return {
    part: partOf,
    price: (part, input) => priced(part, check(part.request, input)),
    find: async (part, id, team) => hold(part, await jobs.find(id, team, part), team),
    findThread: turns.find,
    open,
  }
}

type Site = Pick<PluginJobsOptions, 'siteUrls' | 'search' | 'pageOptions'>

interface Visiting extends Site {
  readonly min: number
  readonly team: string
  readonly lists: ThreatLists | undefined
}

async function visitsOf(
  visits: JobVisits,
  request: unknown,
  { min, team, lists, siteUrls, search, pageOptions }: Visiting,
) {
  const page = visits.page(request)
  const site = { threatProtection: lists, profile: page['profile'] }
  const found = await visits.urls(request, {
    urls: (url, limit, options = {}) => siteUrls({ url, limit, ...site, ...options }, team),
    search: (words, limit) => search(words, limit, team, lists),
  })
  const urls = [...new Set(found)]
  const { maxCredits } = request as { readonly maxCredits?: number }
  return {
    // Cast: JSON that a schema has validated.
    request: { ...(request as object), page: pageOptions(withLists(page, lists)) } as JobData,
    ...makeVisitStart(urls, min, maxCredits),
  }
}

/** Adds the lists to the options of a page, unless they have their own. */
function withLists(page: Readonly<Record<string, unknown>>, lists: ThreatLists | undefined) {
  return lists && page['threatProtection'] === undefined ? { ...page, threatProtection: lists } : page
}

interface StatusParts {
  readonly job: Job
  readonly status: JobStatus
  readonly team: string
  readonly jobs: Jobs
}

// Maximum number of characters of the progress of ended jobs that are cached.
const endedProgress = 4_000_000

/** Returns the status of a job. The progress of a job that has ended is computed once, as long as it is in the cache `ended`. */
async function statusOf(
  part: JobPart,
  { job, status, team, jobs, ended }: StatusParts & { readonly ended: RecentlyUsed<string, string> },
): Promise<PartStatus> {
  const request = parseJobRequest(part, status.request)
  const answer = await answerOf<unknown>(job, status, (one) => readJobAnswer(one, part, request))
  if (!part.progress) return { ...answer, request }
  const key = `${job.id} ${team}`
  const known = ended.get(key)
  if (known !== undefined) return { ...answer, ...(JSON.parse(known) as object), request }
  const isRunning = answer.status === 'processing'
  const kept = part.way.is === 'work' ? await stepsOf(jobs, job.id, team) : isRunning ? [] : await pagesOf(job)
  const progress: object = part.progress.of(kept, request, answer)
  if (!isRunning && !storesNothing(request)) ended.set(key, JSON.stringify(progress))
  return { ...answer, ...progress, request }
}

async function stepsOf(jobs: Jobs, id: string, team: string): Promise<readonly KeptStep[]> {
  const steps: KeptStep[] = []
  for await (const fact of jobs.facts(id, team)) {
    if (fact.is === 'noted') steps.push({ at: fact.at, step: (fact.note as { readonly step: unknown }).step })
  }
  return steps
}

async function pagesOf(job: Job): Promise<readonly VisitOutcome[]> {
  const { errors } = await job.errors()
  return [...(await pagesRead(job)), ...errors.map(({ url, error }) => ({ url, error }))]
}
