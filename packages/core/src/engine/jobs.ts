import type { FindJob, JobCall } from './job-call.ts'
import { openBatch, type Batch } from '../batch/batch.ts'
import { batchJobs } from '../batch/strategy.ts'
import { isRemoved } from '../changes/compare.ts'
import { kindDoors, pageOptionsBy, type KindDoors } from './answers.ts'
import type { CrawlPlans, JobDoors } from './job-doors.ts'
import { kindOfPart } from '../answers/kind-of-part.ts'
import type { PartDoorOptions } from '../answers/part-doors.ts'
import type { WebKit } from '../answers/web-kit.ts'
import type { FollowedPages } from '../changes/followed.ts'
import type { CrawlKit } from '../crawl/explore.ts'
import { crawlJobs, findCrawl, openCrawl, type Crawl } from '../crawl/crawl.ts'
import { noteJob } from './requests.ts'
import type { RequestGate } from '../gates/open-gates.ts'
import { EngineError, type Queue, type Store } from '@harvestman/ports'
import { asAskedFor, fitJob, fitterOf } from './own-schemas.ts'
import { makeDispatcher } from '../jobs/worker/dispatcher.ts'
import type { Job } from '../jobs/handle.ts'
import { makeJobs, type Jobs } from '../jobs/jobs.ts'
import type { JobKit } from '../jobs/kit.ts'
import type { JobRoom } from '../jobs/job-room.ts'
import { elapsed } from '@harvestman/ports/adapters'
import { embeddedQueue } from '@harvestman/embedded'
import { makeScheduler, type HostTurn } from '../schedule/scheduler.ts'
import { usualManners } from '../schedule/politeness.ts'
import { sharedPace } from '../schedule/shared-pace.ts'
import { sharedRests } from '../schedule/shared-rests.ts'
import { batchSchema, buildScrapeOptionsSchema, type Parts } from '../plugin/build-schema.ts'
import type { BatchRequest } from '../schema/batch.ts'
import { parseWebUrl } from '@harvestman/net/request'
import { requireOptions } from '../crawl-plan/crawl-plan.ts'
import type { EngineLimits } from '../schema/engine-options.ts'
import { crawlSchema, type CrawlRequest } from '../schema/crawl.ts'
import type { Robots } from '@harvestman/site'
import { check } from '../schema/problems.ts'
import type { Permits } from '@harvestman/coordination'
import type { RequestDefaults, ScrapeRequest } from '../schema/scrape.ts'
import type { Kit } from '../scrape/kit.ts'
import { checkFormatScope } from '../gates/scopes.ts'
import { makePlan, type Plan } from '../scrape/plan.ts'
import { scrape } from '../scrape/scrape.ts'

/** Jobs of many pages for requests that come from elsewhere: they are checked, whatever they are. */
export interface UncheckedJobs {
  /** Visits a site, page by page. */
  crawl(request: unknown, call?: JobCall): Promise<Crawl>
  /** Loads many pages. */
  batch(request: unknown, call?: JobCall): Promise<Batch>
}

/** The jobs of an engine, whatever their documents are. */
export interface PlainJobDoors extends Omit<JobDoors, 'find' | 'findCrawl'> {
  find(id: string, call?: FindJob): Promise<Job>
  findCrawl(id: string, call?: FindJob): Promise<Crawl>
}

export interface JobOptions {
  readonly kit: Kit
  readonly store: Store
  /** The same, with writes in turns by team. */
  readonly storeOf: (team: string) => Store
  /** Bounds what jobs keep; absent where the store has the room. */
  readonly room: JobRoom | undefined
  readonly robots: Robots
  /** What answers are made with. */
  readonly web: WebKit
  readonly pageRequest: (input: unknown) => ScrapeRequest
  readonly siteAddresses: PartDoorOptions['addresses']
  readonly followed: FollowedPages
  readonly queue: Queue | undefined
  /** Whether asking for a job begins the work on all of them. */
  readonly works: boolean
  readonly life: number
  readonly limits: Pick<EngineLimits, 'concurrency' | 'teamConcurrency' | 'leaseTime'>
  /** The permits that it has together with others on its store. */
  readonly permits: Permits
  readonly schemas: JobSchemas
  readonly gate: RequestGate
  readonly someTeam: string
  readonly webhookSecrets: (team: string) => readonly string[]
  readonly webhook?: string | undefined
  readonly plans: CrawlPlans
}

export type JobSchemas = ReturnType<typeof jobSchemas>

export function jobSchemas(parts: Parts, defaults: RequestDefaults) {
  const page = buildScrapeOptionsSchema(parts, defaults)
  return { crawl: crawlSchema(page), batch: batchSchema(parts, defaults) }
}

export interface OpenJobs extends Pick<Jobs, 'findPage' | 'findReplay' | 'open' | 'pageIds'> {
  readonly unchecked: UncheckedJobs
  readonly doors: PlainJobDoors
  readonly kinds: KindDoors
  close(reason: EngineError): Promise<void>
}

/** Joins the rooms that make an engine work on jobs. */
export function openJobs(options: JobOptions): OpenJobs {
  const { kit, store, web, pageRequest, gate, someTeam } = options
  if (options.queue?.reach === 'shared' && store.reach === 'process') throw unequalReach()
  const queue = options.queue ?? embeddedQueue({ clock: kit.clock })
  const schedule = openSchedule(options, (turn) => jobs.start(turn))
  const jobs = makeJobs(jobKitOf(options, queue, schedule))
  const kinds = kindDoors({ kit, jobs, addresses: options.siteAddresses, gate, someTeam, web, pageRequest })
  return {
    ...jobs,
    unchecked: uncheckedJobs(jobs, options),
    doors: jobDoors(jobs, options),
    kinds,
    close: async (reason) => {
      schedule.stop(reason)
      await jobs.close(reason)
      await schedule.close()
      if (!options.queue) await queue.close()
    },
  }
}

/** Which job visits which host, and when: in step with the engines that share the store. */
function openSchedule({ kit, store, limits, permits }: JobOptions, visit: (turn: HostTurn) => void) {
  const { clock } = kit
  const isShared = store.reach === 'shared'
  const heard = (host: string, rest: number): void => scheduler.rest(host, rest)
  const rests = isShared ? sharedRests({ store, clock, longest: usualManners.longestRest, heard }) : undefined
  const pace = isShared ? sharedPace(store, clock) : undefined
  const scheduler = makeScheduler({
    now: () => elapsed(clock),
    slots: limits.concurrency,
    teamConcurrency: () => limits.teamConcurrency ?? Infinity,
    ...{ rested: rests?.tell, permits },
    woken: () => dispatcher.dispatch(),
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
  queue: Queue,
  { scheduler, dispatch }: Pick<JobKit, 'scheduler' | 'dispatch'>,
): JobKit {
  const { kit, store, storeOf, room, works, life, limits, webhookSecrets, webhook, robots, web } = options
  const { fetcher, guard, sends, clock, ledger, registry, ports } = kit
  const site = { fetcher, guard, sends, store, robots, followed: followedBy(kit, options.followed) }
  const pageOptions = pageOptionsBy(options.pageRequest)
  return {
    scrape: kit,
    ledger,
    priceAtMost: (request, wants) => priceAtMost(makePlan(request, kit, wants)),
    scrapePage: (request, caller, wants) => scrape(request, caller, kit, wants),
    ...{ store, storeOf, room, queue, works, clock },
    kinds: [batchJobs, crawlJobs(site), ...registry.jobs.map((part) => kindOfPart(part, { web, ports, pageOptions }))],
    owner: kit.engine,
    leaseTime: limits.leaseTime,
    ...{ scheduler, dispatch, life, webhookSecrets, webhook },
    warn: warner(kit),
    stoodStill: ({ id, team }) => kit.observer({ kind: 'job.stood', team, id, at: clock.now() }),
  }
}

type DoorOptions = Pick<JobOptions, 'kit' | 'schemas' | 'gate'>

function uncheckedJobs(
  jobs: Jobs,
  { kit, schemas, gate, plans }: DoorOptions & Pick<JobOptions, 'plans'>,
): UncheckedJobs {
  const { formats } = kit.registry
  return {
    crawl: (input, call = {}) =>
      noteJob(gate, { group: 'crawl', endpoint: 'crawl' }, input, call, async (caller) => {
        const asked = check(schemas.crawl, input)
        const { team } = caller
        checkFormatScope(asked.scrapeOptions.formats, call)
        await kit.policies.url(new URL(asked.url), { team, signal: new AbortController().signal })
        const fit = fitterOf(input, formats)
        if (asked.prompt === undefined) return fitJob(await openCrawl(plannableCrawl(asked, kit), caller, jobs), fit)
        const { url, prompt } = asked
        const plan = await plans.planFor({ url, prompt }, { team })
        requireOptions(plan)
        // What the caller says wins over what a model made of it.
        const request = check(schemas.crawl, { ...plan.options, ...(input as object) })
        checkFormatScope(request.scrapeOptions.formats, call)
        const crawl = await openCrawl(plannableCrawl(request, kit), caller, jobs)
        return { ...fitJob(crawl, fit), plan }
      }),
    batch: (input, call = {}) =>
      noteJob(gate, { group: 'batch', endpoint: 'batch_scrape' }, input, call, async (caller) => {
        const request = plannableBatch(check(schemas.batch, input), kit)
        checkFormatScope(request.formats, call)
        const batch = await openBatch(request, caller, jobs, kit.registry.schemes)
        return fitJob(batch, fitterOf(input, formats))
      }),
  }
}

function jobDoors(jobs: Jobs, { kit, plans, someTeam }: Pick<JobOptions, 'kit' | 'plans' | 'someTeam'>): PlainJobDoors {
  const { formats } = kit.registry
  return {
    find: async (id, call = {}) => asAskedFor(await jobs.find(id, call.team ?? someTeam), call, formats),
    findCrawl: async (id, call = {}) => asAskedFor(await findCrawl(id, call.team ?? someTeam, jobs), call, formats),
    running: ({ team = someTeam } = {}) => jobs.running(team),
    list: (query, { team = someTeam } = {}) => jobs.list(team, query),
    planCrawl: plans.planCrawl,
    count: () => jobs.count(),
    work: () => jobs.work(),
  }
}

/** What a crawl follows, by what its formats say. */
function followedBy({ registry }: Kit, pages: FollowedPages): CrawlKit['followed'] {
  return ({ url, scrapeOptions: { formats, zeroDataRetention } }, team) => {
    const planned = formats.map((options) => ({ format: registry.format(options.type), options }))
    const { format, options } = planned.find(({ format }) => format?.follows) ?? {}
    if (!format?.follows || zeroDataRetention) return undefined
    const site = { team, host: new URL(url).host, tag: format.follows(options) }
    return {
      list: () => pages.list(site),
      note: (met, gone) => pages.note(site, met, gone),
      isGone: isRemoved,
    }
  }
}

// What this engine was not given is refused at the door, and not once for each page.

function plannableCrawl(request: CrawlRequest, kit: Kit): CrawlRequest {
  if (request.ignoreRobotsTxt && kit.obeysRobots) {
    throw new EngineError(
      'invalid_request',
      'ignoreRobotsTxt cannot be asked for here: this engine follows robots.txt for every page. Remove it.',
    )
  }
  makePlan({ ...request.scrapeOptions, url: request.url }, kit)
  return request
}

function plannableBatch(request: BatchRequest, kit: Kit): BatchRequest {
  for (const address of request.urls) {
    const { url, text } = parseWebUrl(address, kit.registry.schemes)
    if (!url) continue
    makePlan({ ...request, url: text }, kit)
    break
  }
  return request
}

function priceAtMost(plan: Plan): number {
  return plan.pricing.atMost(plan)
}

function warner({ observer, clock }: Kit): JobKit['warn'] {
  return (message, cause, job) => {
    const why = cause instanceof Error ? ` ${cause.message}` : ''
    observer({ kind: 'warning', message: message + why, team: job?.team ?? '', id: job?.id ?? '', at: clock.now() })
  }
}

function unequalReach(): EngineError {
  return new EngineError(
    'invalid_request',
    'A queue that several machines share needs a store that they share: give createEngine both, or neither.',
  )
}
