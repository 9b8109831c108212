import { makePageHistoryApi } from '../changes/page-history.ts'
import { builtIn } from '../defaults.ts'
import { jobSchemas, openJobs, type OpenJobs, type UntypedJobsApi, type Prices } from './jobs.ts'
import { makeWeb } from './answers.ts'
import { makeScrapes, type Scrapes } from './scrape.ts'
import { makeMaps } from './map.ts'
import type { ByKind } from './by-kind.ts'
import type { KindsApi } from './answers.ts'
import { openFeatures, type OpenFeatures } from './features.ts'
import type { CoreEngine, Engine, EngineOptions, UncheckedApi } from './types.ts'
import { EngineError, isRecord, type Queue, type Store } from '@harvestman/ports'
import {
  isOwnerGone,
  openPageCounts,
  openPermits,
  unshared,
  type LoadingPages,
  type PageCounts,
  type Permits,
  makeRequestPermits,
} from '@harvestman/coordination'
import type { FeatureKit } from '../plugin/feature.ts'
import type { OpenGate } from '../plugin/gate.ts'
import type { JobPart } from '../plugin/job.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { FindAnswer, JobCall } from './job-call.ts'
import { makeRegistry, type Registry } from '../plugin/registry.ts'
import { mapSchema } from '../schema/map.ts'
import { buildFileSchema, buildScrapeOptionsSchema, buildScrapeSchema } from '../plugin/build-schema.ts'
import { searchSchema } from '../schema/search.ts'
import { documentSchema } from '../plugin/document-schema.ts'
import type { EngineLimits } from '../schema/engine-limits.ts'
import { readEngineOptions } from '../schema/engine-options.ts'
import { check } from '../schema/problems.ts'
import { defaultWebhook, exampleId } from '../jobs/delivery/webhook-of.ts'
import { webUrl, type RequestDefaults } from '../schema/scrape.ts'
import { findFile } from '../scrape/files.ts'
import type { Kit } from '../scrape/kit.ts'
import { checkQueue, checkStore, makeFileCheck } from '../stores/check.ts'
import { openAll, openGates, type RequestGate } from '../gates/open-gates.ts'
import { makeAdmitServerRequest } from './requests.ts'
import { mapCost, scrapeCost, searchCost } from './preview.ts'
import { openPages } from '../batch/batch.ts'
import { makeSearch, type StartScrapes } from './search.ts'
import { describe, joinPorts, openKit } from './kit.ts'
import { someTeam } from './some-team.ts'
import type { FirstUses } from './warm-up.ts'
import { endpointGroups, endpointOf } from '../schema/team.ts'
import { checkGroupScope, checkJobScope } from '../gates/scopes.ts'
import { checkReadable } from '../scrape/readable.ts'
import { lazyMembers } from '../lib/lazily.ts'
import { formatValue } from '../lib/format-value.ts'
import { teamThreats } from '../threats/team-policy.ts'
import { withTeamThreats } from './team-threats.ts'

/**
 * Creates an engine. Nothing connects yet, and nothing is shared with other engines of the process. Throws `invalid_request` if
 * an option or a plugin is invalid, and `not_configured` if `keep.filesFrom` is set without a persistent file store.
 */
export function createEngine<const Plugins extends readonly Plugin[] = readonly []>(
  input: EngineOptions<Plugins> = {},
): Engine<Plugins> {
  const settings = readEngineOptions(input)
  const options = joinPorts(input)
  const { limits, keep, defaults } = settings
  const registry = makeRegistry(builtIn(options), options.plugins ?? [], defaults)
  const schemas = schemasOf(registry, defaults)
  const gates: OpenGate[] = []
  const gate = openGates(gates)
  const opened = openKit({ ...options, observer: gate.telling(options.observer) }, settings, registry)
  const { kit, store, warn } = opened
  const threats = teamThreats(store)
  const maps = makeMaps({ kit, store, robots: opened.robots, schemas, gate, threats, llm: options.llm })
  const permits = permitsOf(kit, store, limits)
  const webhookSecrets = secretsOf(options)
  const jobs = openJobs({
    ...opened,
    ...{ permits, limits, schemas, gate, someTeam, threats },
    web: makeWeb({ mapKit: maps.mapKit, schemas, threats }),
    pageRequest: maps.mapKit.pageRequest,
    siteUrls: maps.siteUrls,
    queue: options.queue,
    works: options.works ?? true,
    life: keep.jobs,
    memory: keep.memory / 2,
    webhookSecrets,
    webhook: webhookUrl(options),
    plans: maps,
  })
  const requests = makeRequestPermits(permits)
  const startScrapes: StartScrapes = (urls, request, call) => openPages(urls, request, call, jobs)
  const scrapes = makeScrapes({ kit, schemas, gate, requests, memory: keep.memory / 4 })
  const search = makeSearch({ kit, schemas, gate, requests, startScrapes })
  const counts = openPageCounts({ store, owner: kit.engine, here: () => loadingPages(jobs.loading(), scrapes.loading) })
  const unchecked = withTeamThreats(makeUncheckedApi({ scrapes, counts, jobs, map: maps.map, search }), threats, gate)
  const end = (): Promise<void> => endAll({ ...opened, gate, jobs, features, permits, counts })
  const members: Omit<CoreEngine<Plugins>, 'features' | 'team'> = {
    ...typed<Plugins>({ ...unchecked, jobs: jobs.api }),
    ...byKind<Plugins>({ ...jobs.kinds, start: unchecked.start }),
    plugins: namesOf<Plugins>(options.plugins),
    unchecked,
    schemas,
    map: unchecked.map,
    ...lookups(opened, jobs),
    limits,
    ledger: kit.ledger,
    ...accounts(kit, schemas, jobs),
    admit: makeAdmitServerRequest(gate, requests),
    ...operations({ kit, schemas, store, queue: options.queue, firstUses: [jobs.firstUses, maps.firstUses] }),
    capabilities: () => describe(registry, kit.ports),
    close: end,
    [Symbol.asyncDispose]: end,
  }
  const groups = groupsOf(registry)
  const more = { limits, keep, groups, gate, findReplay: replays(kit, jobs), webhookSecrets, ownWork: jobs.ownWork }
  const features = openFeatures(members, { ...opened, ...more })
  gates.push(...openAll(registry.gates, features, { store, clock: kit.clock, team: someTeam, warn }))
  // Cast: the values of the features have the types that the plugins declare.
  return Object.assign(members, features.values, { features: features.served }) as Engine<Plugins>
}

type Opened = ReturnType<typeof openKit>

interface Ending extends Pick<Opened, 'kit' | 'close'> {
  readonly gate: RequestGate
  readonly jobs: OpenJobs
  readonly features: OpenFeatures
  readonly permits: Permits
  readonly counts: PageCounts
}

async function endAll({ kit, gate, jobs, features, permits, counts, close }: Ending): Promise<void> {
  const reason = new EngineError('closed', 'The engine was closed.')
  // Jobs first, so that running ones are left for the next engine instead of being recorded as failed.
  await jobs.close(reason)
  gate.close(reason)
  kit.deadlines.close(reason)
  await features.close(reason)
  await Promise.all([permits.close(), counts.close()])
  await close()
}

interface UncheckedParts extends Pick<UncheckedApi, 'map' | 'search'> {
  readonly scrapes: Scrapes
  readonly counts: PageCounts
  readonly jobs: OpenJobs
}

function makeUncheckedApi({ scrapes, counts, jobs, map, search }: UncheckedParts): UncheckedApi {
  const { scrape, parse } = scrapes
  const { start, find, findThread } = jobs.kinds
  return { scrape, parse, loadingOf: counts.of, map, search, ...jobs.unchecked, start, find, findThread }
}

/** Merges the loading pages of jobs and of single requests, by team. */
function loadingPages(
  jobs: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): ReadonlyMap<string, LoadingPages> {
  const teams = new Set([...jobs.keys(), ...single.keys()])
  return new Map([...teams].map((team) => [team, { ofJobs: jobs.get(team) ?? 0, single: single.get(team) ?? 0 }]))
}

/** Returns the engine's endpoint groups. Groups of plugins come last. */
function groupsOf({ jobs, features }: Registry): readonly string[] {
  return [
    ...endpointGroups,
    ...jobs.map(({ kind }) => endpointOf(kind)),
    ...features.flatMap(({ activities }) => [...new Set(Object.values(activities))]),
  ]
}

type ByType = 'scrape' | 'parse' | 'search' | 'crawl' | 'batch' | 'jobs'
type UntypedApi = Omit<UncheckedApi, 'start' | 'find' | 'findThread'> & { readonly jobs: UntypedJobsApi }

/** Adds types to the functions: a document's type depends on the engine's plugins and the requested formats. */
function typed<Plugins extends readonly Plugin[]>(api: UntypedApi): Pick<Engine<Plugins>, ByType> {
  const { scrape, parse, search, crawl, batch, jobs } = api
  const typedApi = { scrape, parse, search, crawl, batch, jobs }
  // Cast: the same functions; only the caller's types determine the type of the document.
  return typedApi as Pick<Engine<Plugins>, ByType>
}

function namesOf<Plugins extends readonly Plugin[]>(plugins: readonly Plugin[] = []): Engine<Plugins>['plugins'] {
  // Cast: one name per plugin, in the same order.
  return plugins.map(({ name }) => name) as Engine<Plugins>['plugins']
}

/** Adds types to the functions for kinds of jobs, which take the kind itself instead of its name. */
function byKind<Plugins extends readonly Plugin[]>(kinds: KindsApi): ByKind<Plugins> {
  const typedApi = {
    kinds: kinds.kinds,
    start: (part: JobPart, request: unknown, call?: JobCall) => kinds.start(nameOf(part, 'start'), request, call),
    find: (part: JobPart, id: string, call?: FindAnswer) => kinds.find(nameOf(part, 'find'), id, call),
    findThread: (part: JobPart, id: string, call?: FindAnswer) =>
      kinds.findThread(nameOf(part, 'findThread'), id, call),
  }
  // Cast: only the caller's types determine the type of the result.
  return typedApi as ByKind<Plugins>
}

/** Returns the name of a kind of job. Throws if the caller passed something else, such as the name itself. */
function nameOf(part: unknown, method: 'start' | 'find' | 'findThread'): string {
  if (isRecord(part) && typeof part['kind'] === 'string') return part['kind']
  const remedy =
    typeof part === 'string'
      ? `Pass the kind itself, or call engine.unchecked.${method} with its name.`
      : 'Pass a kind of job from a plugin of this engine, or from its kinds.'
  throw new EngineError('invalid_request', `kind must be a kind of job, but is ${formatValue(part)}. ${remedy}`)
}

function schemasOf(registry: Registry, defaults: RequestDefaults) {
  return lazyMembers({
    scrape: () => buildScrapeSchema(registry, defaults),
    parse: () => buildFileSchema(registry, defaults),
    document: () => documentSchema(registry),
    map: mapSchema,
    search: () =>
      searchSchema(buildScrapeOptionsSchema({ ...registry, formats: ofSearches(registry) }, defaults, { formats: [] })),
    ...jobSchemas(registry, defaults),
  })
}

/** Returns the formats that pages of a search can have: all except raw ones. */
function ofSearches({ formats }: Registry): Registry['formats'] {
  return formats.filter(({ isRaw }) => !isRaw)
}

/** Opens permits, shared through the store unless no other engine can use it. */
function permitsOf(kit: Kit, store: Store, { leaseTime }: EngineLimits): Permits {
  if (store.reach === 'process') return unshared
  return openPermits({ store, clock: kit.clock, engine: kit.engine, leaseTime, isDead: isOwnerGone })
}

interface OperatedParts {
  readonly kit: Kit
  readonly schemas: ReturnType<typeof schemasOf>
  readonly store: Store
  readonly queue: Queue | undefined
  readonly firstUses: readonly FirstUses[]
}

/** Creates the members for whoever runs the process. `checkStore` checks the store, the file store and the queue. */
function operations({ kit, schemas, store, queue, firstUses }: OperatedParts): Pick<Engine, 'checkStore' | 'warmUp'> {
  const { files, clock } = kit
  const checkFiles = files.isConfigured ? makeFileCheck(files.blobs, clock) : undefined
  return {
    checkStore: async () => {
      // In parallel, because an unreachable queue takes seconds to fail.
      await Promise.all([checkStore(store).then(checkFiles), queue && checkQueue(queue)])
    },
    warmUp: async () => (await import('./warm-up.ts')).warmUp(kit, schemas, firstUses),
  }
}

type Accounts = Pick<Engine, 'usage' | 'preview'>

/** Creates `usage` and `preview`: credits of a team, and the price of a request. */
function accounts(kit: Kit, schemas: ReturnType<typeof schemasOf>, { kinds, prices }: OpenJobs): Accounts {
  const own = new Map(Object.entries({ ...costs(kit, schemas), ...prices }))
  return {
    usage: ({ team = someTeam } = {}) => kit.ledger.account(team),
    preview: (kind, request, call = {}) => {
      checkGroupScope(endpointOf(kind), call)
      return own.get(kind)?.(request, call) ?? kinds.price(kind, request)
    },
  }
}

/** Price functions of requests that do not start jobs. */
function costs(kit: Kit, schemas: ReturnType<typeof schemasOf>): Prices {
  return {
    scrape: (request, call) => scrapeCost(check(schemas.scrape, request), kit, {}, call),
    search: (request, call) => searchCost(check(schemas.search, request), kit, call),
    map: (request) => check(schemas.map.transform(mapCost), request),
  }
}

function replays({ results }: Kit, jobs: OpenJobs): FeatureKit['findReplay'] {
  return async (id, team, call = {}) => {
    const checkKind = (kind: string): void => checkJobScope(kind, call)
    const replay = await alone(results.findReplay(id, team), () => jobs.findReplay(id, team, checkKind))
    if (replay) checkReadable(replay)
    return replay
  }
}

/** Creates the members that look up stored results, hosts and changes. */
function lookups({ kit, history }: Opened, jobs: OpenJobs): Pick<Engine, 'results' | 'hosts' | 'changes'> {
  const changes = makePageHistoryApi(history)
  return {
    results: {
      find: (id, { team = someTeam, encoded = false, ...call } = {}) =>
        alone(kit.results.find(id, team, encoded), () =>
          jobs.findPage(id, team, encoded, (kind) => checkJobScope(kind, call)),
        ),
      file: (id, { team } = {}) => findFile(kit.files, id, team),
    },
    hosts: {
      find: (url, { team = someTeam } = {}) => kit.hosts.find(hostOf(url), team),
      forget: (url, { team = someTeam } = {}) => kit.hosts.forget(hostOf(url), team),
    },
    changes: {
      list: (input = {}, { team = someTeam } = {}) => changes.list(input, team),
      history: (input, { team = someTeam } = {}) => changes.history(input, team),
      diff: (input, { team = someTeam } = {}) => changes.diff(input, team),
    },
  }
}

function hostOf(url: string): string {
  return new URL(check(webUrl, url)).host
}

function secretsOf({ webhookSecret = [] }: EngineOptions): (team: string) => readonly string[] {
  return (team) => [typeof webhookSecret === 'function' ? webhookSecret(team) : webhookSecret].flat()
}

function webhookUrl({ webhook }: EngineOptions): string | undefined {
  if (webhook !== undefined) defaultWebhook(webhook, exampleId)
  return webhook
}

/** Returns the result of a single request. If that is not found, searches the jobs with `ofJob`. */
async function alone<T>(found: Promise<T>, ofJob: () => Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
    return ofJob()
  }
}
