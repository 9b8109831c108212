import { makeBacklog } from '@harvestman/webhooks'
import type { FindJob, JobCall } from './job-call.ts'
import { batchKind, type Batch } from '../batch/batch.ts'
import { isRemoved } from '../changes/compare.ts'
import type { FirstUses } from './warm-up.ts'
import { watchJobs, type JobWatch } from './job-watch.ts'
import { makeKindsApi, pageOptionsBy, type KindsApi } from './answers.ts'
import type { CrawlPlans, JobsApi, LocalJobCounts } from './jobs-api.ts'
import { kindOfPart } from '../answers/kind-of-part.ts'
import { openThreads } from '../jobs/threads.ts'
import type { PluginJobsOptions } from '../answers/plugin-jobs.ts'
import type { WebOfJobs } from '../answers/web-kit.ts'
import type { TeamThreats } from '../threats/team-policy.ts'
import type { FollowedPages } from '../changes/followed.ts'
import type { CrawlKit } from '../crawl/explore.ts'
import { crawlKind, findCrawl, type Crawl } from '../crawl/crawl.ts'
import { noteJob } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { EngineError, type Queue, type Store, elapsed } from '@harvestman/ports'
import { withCallFormats, parseJobDocuments, makeDocumentParser } from './own-schemas.ts'
import { makeDispatcher } from '@harvestman/schedule'
import type { Job } from '../jobs/handle.ts'
import { makeJobs, type Jobs } from '../jobs/jobs.ts'
import type { JobKit } from '../jobs/kit.ts'
import type { JobMemory } from '../jobs/job-memory.ts'
import type { JobData, Opening } from '../jobs/log/facts.ts'
import type { PageKind } from '../jobs/page-kind.ts'
import type { JobKind } from '../jobs/run/strategy.ts'
import type { Vault } from '@harvestman/toolbox/sealed'
import { embeddedQueue } from '@harvestman/embedded'
import { makeScheduler, type HostTurn } from '@harvestman/schedule'
import { defaultManners } from '@harvestman/schedule'
import {
  openHelpers,
  sharedPace,
  sharedRests,
  segmentsInMemory,
  noHelpers,
  type Bodies,
  type Helpers,
  type Permits,
} from '@harvestman/coordination'
import { batchSchema, buildScrapeOptionsSchema, type Parts } from '../plugin/build-schema.ts'
import { maxFurtherPages } from '../credits/pricing.ts'
import { priceOfPages, type Preview } from '../plugin/price.ts'
import { scrapeCost } from './preview.ts'
import type { EngineLimits } from '../schema/engine-limits.ts'
import { crawlSchema } from '../schema/crawl.ts'
import type { Robots } from '@harvestman/site'
import { check } from '../schema/problems.ts'
import { endpointOf } from '../schema/team.ts'
import { crawlParsers, type RequestDefaults, type ScrapeRequest } from '../schema/scrape.ts'
import type { Kit } from '../scrape/kit.ts'
import { checkFormatScope, checkJobScope, mayReadJob } from '../gates/scopes.ts'
import type { TeamCall } from '../plugin/admission.ts'
import { makePlan } from '../scrape/plan.ts'
import { scrape } from '../scrape/scrape.ts'

/** Starts jobs from untyped requests, which are validated at run time. */
export interface UncheckedJobs {
  /** Starts a crawl of a site. */
  crawl(request: unknown, call?: JobCall): Promise<Crawl>
  /** Starts a batch of pages. */
  batch(request: unknown, call?: JobCall): Promise<Batch>
}

/** Jobs of an engine, with untyped documents. */
export interface UntypedJobsApi extends Omit<JobsApi, 'find' | 'findCrawl'> {
  find(id: string, call?: FindJob): Promise<Job>
  findCrawl(id: string, call?: FindJob): Promise<Crawl>
}

export interface JobOptions {
  readonly kit: Kit
  readonly store: Store
  /** Returns the same store for a team, with writes scheduled fairly between teams. */
  readonly storeOf: (team: string) => Store
  /** Limits the memory of jobs; absent if the store has its own space. */
  readonly room: JobMemory | undefined
  readonly robots: Robots
  /** Functions with which kinds of jobs access the web. */
  readonly web: WebOfJobs
  readonly threats: TeamThreats
  readonly pageRequest: (input: unknown) => ScrapeRequest
  readonly siteUrls: PluginJobsOptions['siteUrls']
  readonly followed: FollowedPages
  readonly queue: Queue | undefined
  /** True if starting a job also makes this engine work on all open jobs. */
  readonly works: boolean
  readonly life: number
  /** Storage of large documents. */
  readonly bodies: Bodies
  readonly vault: Vault | undefined
  /** Cache size in bytes for documents that are read again. */
  readonly memory: number
  readonly limits: Pick<EngineLimits, 'concurrency' | 'hostConcurrency' | 'teamConcurrency' | 'leaseTime'>
  /** Permits shared with other engines on the store. */
  readonly permits: Permits
  readonly schemas: JobSchemas
  readonly gate: RequestGate
  readonly someTeam: string
  readonly webhookSecrets: (team: string) => readonly string[]
  readonly webhook?: string | undefined
  readonly plans: CrawlPlans
}

type JobSchemaMakers = ReturnType<typeof jobSchemas>

export type JobSchemas = { readonly [Kind in keyof JobSchemaMakers]: ReturnType<JobSchemaMakers[Kind]> }

/** Returns functions that build the request schemas of crawls and batches. */
export function jobSchemas(parts: Parts, defaults: RequestDefaults) {
  return {
    crawl: () => crawlSchema(buildScrapeOptionsSchema(parts, defaults, { parsers: crawlParsers }), parts.formats),
    batch: () => batchSchema(parts, defaults),
  }
}

/** Functions that compute the price of a request, by kind. */
export type Prices = Readonly<Record<string, (request: unknown, call?: TeamCall) => Preview>>

export interface OpenJobs extends Pick<Jobs, 'findPage' | 'findReplay' | 'open' | 'ownWork' | 'pageIds'> {
  readonly unchecked: UncheckedJobs
  readonly prices: Prices
  readonly api: UntypedJobsApi
  readonly kinds: KindsApi
  /** The code for the first job of each kind. */
  readonly firstUses: FirstUses
  /** Returns how many pages of jobs of each team are loading. */
  loading(): ReadonlyMap<string, number>
  close(reason: EngineError): Promise<void>
}

/**
 * Connects the modules that run jobs, with a queue in memory if there is none. Throws `invalid_request` if the queue is shared by
 * several processes and the store is not.
 */
export function openJobs(options: JobOptions): OpenJobs {
  const { kit, store, web, threats, pageRequest, gate, someTeam } = options
  const { crawl, batch } = ownKinds(options)
  if (options.queue?.reach === 'shared' && store.reach === 'process') throw unequalReach()
  const queue = options.queue ?? embeddedQueue({ clock: kit.clock })
  const helpers = openJobHelpers(options, queue, () => schedule.dispatch())
  const schedule = openSchedule(options, helpers, (turn) => jobs.start(turn))
  const watch = watchJobs(kit.clock, kit.observer)
  const jobKit = jobKitOf(options, [batch, crawl], queue, { ...schedule, helpers })
  const jobs = makeJobs({ ...jobKit, kinds: jobKit.kinds.map(watch.watch) })
  const threads = openThreads({ store, clock: kit.clock, life: options.life })
  const kinds = makeKindsApi({
    kit,
    jobs,
    threads,
    siteUrls: options.siteUrls,
    gate,
    someTeam,
    web,
    threats,
    pageRequest,
  })
  return {
    ...jobs,
    unchecked: { crawl: opener(crawl, jobs, options), batch: opener(batch, jobs, options) },
    prices: { crawl: priceOf(crawl, kit), batch: priceOf(batch, kit) },
    api: makeJobsApi(jobs, options, () =>
      hereOf(watch, { taken: schedule.scheduler.taken, lent: helpers.lent, unsent: jobKit.backlog.size }, options),
    ),
    kinds,
    firstUses: {
      warmUps: jobKit.kinds.flatMap(({ warmUps = [] }) => warmUps),
      readings: jobKit.kinds.flatMap(({ remoteReadings = [] }) => remoteReadings),
    },
    loading: () => schedule.scheduler.runningByTeam(),
    close: async (reason) => {
      schedule.stop(reason)
      await jobs.close(reason)
      await Promise.all([schedule.close(), helpers.close()])
      if (!options.queue) await queue.close()
    },
  }
}

/** Opens remote pages: when no slot is free here, other engines on the same queue load pages. */
function openJobHelpers({ kit, store, limits }: JobOptions, queue: Queue, woken: () => void): Helpers {
  if (queue.reach !== 'shared') return noHelpers
  return openHelpers({ store, queue, clock: kit.clock, owner: kit.engine, leaseTime: limits.leaseTime, woken })
}

/** Opens the schedule, which decides which job visits which host and when, in coordination with engines on the same store. */
function openSchedule({ kit, store, limits, permits }: JobOptions, others: Helpers, visit: (turn: HostTurn) => void) {
  const { clock } = kit
  const isShared = store.reach === 'shared'
  const onRest = (host: string, rest: number): void => scheduler.rest(host, rest)
  const rests = isShared ? sharedRests({ store, clock, longest: defaultManners.maxRest, onRest }) : undefined
  const pace = isShared ? sharedPace(store, clock) : undefined
  const scheduler = makeScheduler({
    now: () => elapsed(clock),
    slots: limits.concurrency,
    manners: { ...defaultManners, atOnce: limits.hostConcurrency },
    teamConcurrency: () => limits.teamConcurrency ?? Infinity,
    ...{ rested: rests?.tell, permits },
    woken: () => dispatcher.dispatch(),
    others,
  })
  const closing = new AbortController()
  const dispatcher = makeDispatcher(scheduler, clock, (turn) => {
    rests?.begin()
    if (!pace || turn.pause === 0) return visit(turn)
    pace.await(turn.host, turn.pause, closing.signal).then(
      () => visit(turn),
      () => scheduler.done(turn, {}),
    )
  })
  return {
    scheduler,
    dispatch: dispatcher.dispatch,
    stop: (reason: EngineError): void => {
      dispatcher.close()
      closing.abort(reason)
    },
    close: async (): Promise<void> => rests?.close(),
  }
}

function jobKitOf(
  options: JobOptions,
  own: readonly JobKind[],
  queue: Queue,
  { scheduler, dispatch, helpers }: Pick<JobKit, 'scheduler' | 'dispatch' | 'helpers'>,
): JobKit {
  const { kit, store, storeOf, room, bodies, works, life, memory, limits, webhookSecrets, webhook, web, vault } =
    options
  const { clock, ledger, registry, ports } = kit
  const pageOptions = pageOptionsBy(options.pageRequest)
  return {
    scrape: kit,
    ledger,
    priceAtMost: (request, wants) => {
      const plan = makePlan(request, kit, wants)
      return plan.pricing.atMost(plan)
    },
    scrapePage: (request, caller, wants) => scrape(request, caller, kit, wants),
    ...{ store, storeOf, room, queue, works, clock },
    kinds: [...own, ...registry.jobs.map((part) => kindOfPart(part, { web, ports, pageOptions }))],
    owner: kit.engine,
    leaseTime: limits.leaseTime,
    ...{ scheduler, dispatch, helpers, life, webhookSecrets, webhook, backlog: makeBacklog() },
    ...{ segments: segmentsInMemory(memory), bodies, vault },
    warn: warner(kit),
    hasEnded: ({ id, team, createdAt }, { status, failed, credits, endedAt: at = clock.now() }) => {
      if (status === 'scraping') return
      kit.observer({ kind: 'job.ended', status, failedPages: failed, credits, ms: at - createdAt, team, id, at })
    },
    stalled: ({ id, team }) => kit.observer({ kind: 'job.stood', team, id, at: clock.now() }),
    wentBack: ({ id, team }) => kit.observer({ kind: 'store.wentBack', team, id, at: clock.now() }),
    stranded: ({ id, team }) => kit.observer({ kind: 'job.stranded', team, id, at: clock.now() }),
  }
}

/** Kinds of jobs whose result is their pages. */
function ownKinds({ kit, schemas, store, robots, followed, plans }: JobOptions) {
  const { fetcher, guard, browser, sends, proxies, policies, obeysRobots, registry } = kit
  const hasParser = (name: string): boolean => registry.parsers.some((parser) => parser.name === name)
  const reading = { fetcher, guard, browser, sends, proxies, store, robots }
  const site = { ...reading, followed: followedBy(kit, followed), hasParser }
  return {
    crawl: crawlKind(() => schemas.crawl, { ...site, policies, obeysRobots, planFor: plans.planFor }),
    batch: batchKind(() => schemas.batch, registry.schemes),
  }
}

const pagesFound = 'formats: the formats of a crawl cannot load further pages. Remove that option, or start a batch.'

/**
 * Creates the function that starts jobs of a kind. It rejects forbidden options and missing ports once, instead of failing
 * every page.
 */
function opener<Request extends JobData, Held extends Job>(
  kind: PageKind<Request, Held>,
  jobs: Jobs,
  { kit, gate }: Pick<JobOptions, 'kit' | 'gate'>,
): (input: unknown, call?: JobCall) => Promise<Held> {
  return (input, call = {}) =>
    noteJob(gate, { group: endpointOf(kind.name), endpoint: kind.publicName }, input, call, async (caller) => {
      const checkPages = (opening: Pick<Opening, 'request'>): void =>
        checkFormatScope(kind.pages(opening).formats, call, kit.registry.formats)
      const read = (given: unknown): Request => {
        const request = check(kind.schema(), given)
        checkPages({ request })
        const plan = makePlan(pageOf(kind, request), kit)
        if (kind.findsPages && maxFurtherPages(plan).pages > 0) throw new EngineError('invalid_request', pagesFound)
        return request
      }
      const again = (options: object): Request => read({ ...options, ...(input as object) })
      const job = await kind.begin(read(input), { caller, jobs, again, checkPages })
      return parseJobDocuments(job, makeDocumentParser(input, kit.registry.formats))
    })
}

/** Creates the price function of a kind: the price of its maximum number of pages. */
function priceOf<Request extends JobData>(kind: PageKind<Request>, kit: Kit): Prices[string] {
  return (input, call) => {
    const request = check(kind.schema(), input)
    const { what, ...count } = kind.count(request)
    return priceOfPages(scrapeCost(pageOf(kind, request), kit, {}, call), count, what)
  }
}

function pageOf<Request extends JobData>(kind: PageKind<Request>, request: Request): ScrapeRequest {
  return { ...kind.pages({ request }), url: kind.oneOf(request) }
}

function hereOf(
  { running, idleFor }: JobWatch,
  pages: Pick<LocalJobCounts, 'taken' | 'lent' | 'unsent'>,
  { limits }: JobOptions,
): LocalJobCounts {
  return { running, idleFor, places: limits.concurrency, ...pages }
}

function makeJobsApi(
  jobs: Jobs,
  { kit, plans, someTeam }: Pick<JobOptions, 'kit' | 'plans' | 'someTeam'>,
  here: () => LocalJobCounts,
): UntypedJobsApi {
  const { formats } = kit.registry
  return {
    find: async (id, call = {}) => {
      const job = await jobs.find(id, call.team ?? someTeam)
      checkJobScope(job.kind, call)
      return withCallFormats(job, call, formats)
    },
    findCrawl: async (id, call = {}) => {
      const crawl = await findCrawl(id, call.team ?? someTeam, jobs)
      checkJobScope(crawl.kind, call)
      return withCallFormats(crawl, call, formats)
    },
    running: async ({ team = someTeam, ...call } = {}) =>
      (await jobs.running(team)).filter(({ kind }) => mayReadJob(kind, call)),
    list: (query, { team = someTeam, ...call } = {}) => jobs.list(team, query, (kind) => mayReadJob(kind, call)),
    planCrawl: plans.planCrawl,
    count: () => jobs.count(),
    countByTeam: () => jobs.countByTeam(),
    here,
    work: () => jobs.work(),
  }
}

/** Creates a function that returns the pages tracked for a crawl, by its formats; `undefined` if it tracks none. */
function followedBy({ registry }: Kit, pages: FollowedPages): CrawlKit['followed'] {
  return ({ url, scrapeOptions: { formats, zeroDataRetention } }, team) => {
    const planned = formats.map((options) => ({ format: registry.format(options.type), options }))
    const { format, options } = planned.find(({ format }) => format?.follows) ?? {}
    const keeper = registry.keepers.find(({ notes }) => notes !== undefined)
    // A format without a tag returns null, which is the tag under which its pages are tracked.
    const tag = format?.follows ? format.follows(options) : (keeper?.notes ?? null)
    if (zeroDataRetention || (!format && tag === null)) return undefined
    const site = { team, host: new URL(url).host, tag }
    return {
      list: async () => (format ? pages.list(site) : []),
      note: (met, gone) => pages.note(site, met, gone),
      isMissing: isRemoved,
    }
  }
}

function warner({ observer, clock }: Kit): JobKit['warn'] {
  return (message, cause, job) => {
    const why = cause instanceof Error ? ` ${cause.message}` : ''
    observer({ kind: 'warning', message: message + why, team: job?.team ?? '', id: job?.id ?? '', at: clock.now() })
  }
}

function unequalReach(): EngineError {
  return new EngineError('invalid_request', 'A shared queue needs a shared store. Pass createEngine both, or neither.')
}
