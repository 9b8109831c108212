import { randomUUID } from 'node:crypto'
import { checkedLLM } from '@harvestman/asking/checked-llm'
import { activityEndpoints } from '../schema/team.ts'
import { followedPages } from '../changes/followed.ts'
import { makeComparer } from '@harvestman/diff/comparer'
import { makeHistory } from '../changes/history.ts'
import { historyPort } from '../formats/change-tracking.ts'
import { blobsInStore } from '../blobs/in-store.ts'
import { memoryBlobs, memoryStore } from '@harvestman/embedded'
import type { Capabilities, EngineOptions } from './types.ts'
import {
  type Browser,
  type Clock,
  EngineError,
  type Guard,
  type LLM,
  type Observer,
  type Proxies,
  type Search,
  type Sessions,
  type Store,
  systemClock,
} from '@harvestman/ports'
import { createGuard, systemResolver, undiciFetcher } from '@harvestman/net'
import { bodiesInFiles, bodiesInStore, isOwnerGone, ownName, storeLedger, type Bodies } from '@harvestman/coordination'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { browserPort, llmPort, proxiesPort, searchPort, sessionsPort } from '../plugin/core-ports.ts'
import { makeLifecycle, type Lifecycle } from '../plugin/lifecycle.ts'
import type { EnginePorts, PluginContext } from '../plugin/parts.ts'
import { providePort, type ProvidedPort } from '../plugin/port.ts'
import type { z } from 'zod'
import { buildScrapeOptionsSchema } from '../plugin/build-schema.ts'
import type { Action } from '../plugin/action.ts'
import type { Format } from '../plugin/field.ts'
import type { Registry } from '../plugin/registry.ts'
import { requestDefaults } from '../schema/scrape.ts'
import { secretNames } from '../schema/secret-names.ts'
import { someTeam } from './some-team.ts'
import { pageReader } from '../readers/reader.ts'
import { makeJobMemory, type JobMemory } from '../jobs/job-memory.ts'
import type { EngineKeeping } from '../schema/engine-limits.ts'
import type { readEngineOptions } from '../schema/engine-options.ts'
import { headersOfEngine } from '../schema/manners.ts'
import { makeWorkWrappers } from '../scrape/work-wrappers.ts'
import { makePageCache } from '../scrape/cache.ts'
import { makeDeadlines } from '../scrape/deadline.ts'
import { makeHostMemory } from '../scrape/hosts.ts'
import type { Kit, MayVisit } from '../scrape/kit.ts'
import { makePolicies, type Policies } from '../scrape/policies.ts'
import { makeRobots, robotsGate, textFetcher } from '@harvestman/site/robots'
import { makePluginStores } from '../scrape/plugin-stores.ts'
import { makeResults } from '../scrape/results.ts'
import { pagesInMemory, pagesInStore } from '../scrape/page-store.ts'
import { makeProfiles, stateField } from '../profiles/profiles.ts'
import { makeLocks } from './locks.ts'
import { openVault } from '../stores/vault.ts'
import { storeByTeam } from '../stores/by-team.ts'
import { sealingStore } from '../stores/sealing-store.ts'

type EngineSettings = ReturnType<typeof readEngineOptions>

/**
 * Returns the ports of an engine: the given ones or the embedded defaults, wrapped by its plugins in their order. The responses
 * of the language model are checked (see `checkedLLM`). Opens nothing.
 */
export function joinPorts(given: EngineOptions): EngineOptions & EnginePorts {
  const { fetcher = undiciFetcher(), clock = systemClock, resolver = systemResolver(), newId = randomUUID } = given
  const { identityFetcher, browser, proxies, llm, search, plugins = [] } = given
  const outside = { fetcher, identityFetcher, browser, sessions: undefined, proxies, llm, search }
  let ports: EnginePorts = { ...outside, clock, resolver, newId }
  for (const { gives } of plugins) ports = { ...ports, ...(gives.sessions && { sessions: gives.sessions }) }
  for (const plugin of plugins) ports = { ...ports, ...plugin.ports?.(ports) }
  return { ...given, ...ports, llm: ports.llm && checkedLLM(ports.llm) }
}

function servicesOf({ plugins = [] }: EngineOptions): readonly ProvidedPort[] {
  return plugins.flatMap(({ gives }) => gives.services ?? [])
}

/**
 * Connects the ports and parts of an engine. No connections are opened yet. Throws `not_configured` if `keep.filesFrom` is set
 * without a persistent file store.
 */
export function openKit(options: EngineOptions & EnginePorts, settings: EngineSettings, registry: Registry) {
  const { limits, keep, robots: policy } = settings
  const { llm, proxies, observer = () => undefined, clock, newId } = options
  const { guard, fetcher, identityFetcher, browser, sessions, ...outside } = openOutside(options)
  const storage = openStorage(options, keep, clock, observer, secretOptions(registry))
  const { store, storeOf, room, pages, blobs, bodies, vault } = storage
  const { reader, comparer } = openReading(settings)
  const history = makeHistory({ store, clock, comparer, versions: keep.versions, life: keep.changes })
  const followed = followedPages({ store, life: keep.changes })
  const sends = headersOfEngine(settings)
  const robots = makeRobots({ fetcher, guard, browser, store, sends, proxies, isFollowed: policy !== 'never' })
  const policies = makePolicies(registry.policies, () => plugins.open())
  const warn = (message: string): void => observer({ kind: 'warning', message, team: '', id: '', at: clock.now() })
  const pluginStores = makePluginStores(storeOf, keep.plugins)
  const plugins = openPlugins(registry, pluginStores, {
    ...{ fetcher, guard, clock, warn },
    fetchText: textFetcher({ fetcher, guard, browser, sends }, robots, warn),
    checkRobots: (url, { signal }) => robotsGate(robots)(url, { signal, tell: warn }),
  })
  const ports = portsOf({
    ...{ browser, sessions, search: options.search, llm, proxies },
    more: [providePort(historyPort, history), ...servicesOf(options), ...(options.ports ?? [])],
  })
  const engine = ownName()
  const closing = new AbortController()
  const lock = makeLocks({ store, owner: engine, clock, signal: closing.signal })
  const kit: Kit = {
    ...{ registry, fetcher, identityFetcher, browser, guard, clock, newId, sends },
    mayVisit: gateOf(policies, policy === 'always' ? robotsGate(robots) : undefined),
    obeysRobots: policy === 'always',
    policies,
    proxies,
    observer,
    reader,
    limits,
    ports,
    plugins,
    pluginStores,
    cache: makePageCache(pages, clock, keep.pages, sends),
    results: makeResults({ store, storeOf, bodies, vault, ttl: keep.results }),
    files: { blobs, isConfigured: options.blobs !== undefined, ttl: keep.files },
    hosts: makeHostMemory(store, clock, keep.hosts),
    deadlines: makeDeadlines(),
    profiles: makeProfiles({ store, clock, lock }),
    around: makeWorkWrappers(),
    ledger: options.ledger ?? storeLedger(store, { clock, isGone: isOwnerGone, goesOn: (team) => team === someTeam }),
    engine,
  }
  const close = async (): Promise<void> => {
    closing.abort()
    await plugins.close()
    if (!options.ledger) await kit.ledger.close()
    await Promise.all([outside.close(), reader.close(), comparer.close(), storage.close()])
  }
  return { kit, ports, lock, store, storeOf, room, bodies, vault, robots, history, followed, warn, close }
}

/** Opens the ports that access the network. All of them use the guard. */
function openOutside({ allowPrivate, resolver, ...make }: EngineOptions & EnginePorts) {
  const guard: Guard = createGuard({ allowPrivate, resolver })
  const fetcher = make.fetcher(guard)
  const identityFetcher = make.identityFetcher?.(guard)
  const browser = make.browser?.(guard)
  const sessions = make.sessions?.(guard)
  const close = (): Promise<unknown> =>
    Promise.all([fetcher.close(), identityFetcher?.close(), browser?.close(), sessions?.close()])
  return { guard, fetcher, identityFetcher, browser, sessions, close }
}

/** Creates the lifecycle that opens plugins when they are first needed. */
function openPlugins(
  { plugins }: Registry,
  stores: Kit['pluginStores'],
  parts: Pick<PluginContext, 'fetcher' | 'guard' | 'clock' | 'warn' | 'fetchText' | 'checkRobots'>,
): Lifecycle {
  const closing = new AbortController()
  const lifecycle = makeLifecycle(plugins, ({ name }) => ({
    ...parts,
    signal: closing.signal,
    store: (team) => stores.of(name, team, true),
  }))
  return {
    open: lifecycle.open,
    close: async () => {
      closing.abort(new EngineError('closed', 'The engine was closed.'))
      await lifecycle.close()
    },
  }
}

/** Opens the page reader and the version comparer. Both work in threads that can be terminated. */
function openReading({ limits, keep }: EngineSettings) {
  const { readers: size, readTime: budget, readMegabytes: megabytes, inlineBytes } = limits
  return {
    reader: pageReader({ size, budget, megabytes, inlineBytes, memory: keep.memory / 2 }),
    comparer: makeComparer({ size, budget, megabytes }),
  }
}

/** Creates a test whether an option contains credentials, by its schema. Schemas are inspected at the first call. */
function secretOptions(registry: Registry): (name: string) => boolean {
  const own = new Set([stateField, ...registry.features.flatMap(({ secretFields }) => secretFields)])
  let names: ReadonlySet<string> | undefined
  const schemas = (): readonly z.ZodType[] => [
    buildScrapeOptionsSchema(registry, requestDefaults),
    ...registry.formats.map(({ options }) => options),
    ...registry.jobs.map(({ request }) => request),
    ...registry.features.flatMap(({ endpoints }) => Object.values(endpoints ?? {}).map(({ input }) => input)),
  ]
  return (name) => own.has(name) || (names ??= secretNames(schemas())).has(name)
}

/** Opens the given stores, or ones in memory. `close` closes only those created here. */
function openStorage(
  ports: Pick<EngineOptions, 'store' | 'blobs' | 'secretKey'>,
  keep: EngineKeeping,
  clock: Clock,
  observer: Observer,
  isSecret: (name: string) => boolean,
) {
  // Data in memory ends with the process and needs no encryption.
  const vault = ports.store ? openVault({ secretKey: ports.secretKey, isSecret }) : undefined
  const { store, room } =
    ports.store && vault
      ? { store: sealingStore(ports.store, vault), room: undefined }
      : openRoom(keep, clock, observer)
  // Writes to memory complete immediately, so they need no scheduling between teams.
  const storeOf = ports.store ? storeByTeam(store).of : () => store
  const bodies = openBodies(ports, keep, clock, observer)
  const pages = ports.store ? pagesInStore(store, storeOf, bodies) : pagesInMemory(keep.memory, clock)
  const blobs = ports.blobs ?? (ports.store ? blobsInStore(ports.store) : memoryBlobs({ clock, bytes: keep.memory }))
  const close = (): Promise<unknown> =>
    Promise.all([ports.store ? undefined : store.close(), ports.blobs ? undefined : blobs.close()])
  return { store, storeOf, room, pages, blobs, bodies, vault, close }
}

/** Default size in bytes from which records go to files, if the files last and all engines on the store can read them. */
const defaultFilesFrom = 65_536

/** Opens the storage for large parts of records: the file store if it is persistent, otherwise the store itself. */
function openBodies(
  { store, blobs }: Pick<EngineOptions, 'store' | 'blobs'>,
  { filesFrom }: EngineKeeping,
  clock: Clock,
  observer: Observer,
): Bodies {
  const from = filesFrom ?? (blobs?.lasts === 'shared' ? defaultFilesFrom : undefined)
  if (from === undefined || !store) return bodiesInStore
  if (!blobs?.lasts) {
    throw new EngineError(
      'not_configured',
      '`keep.filesFrom` needs a persistent file store. Set a folder or an S3 bucket for files, or remove `keep.filesFrom`.',
    )
  }
  const refused = (error: unknown): void => {
    const message = `A document could not be written to the file store, and stays in the store: ${errorMessage(error)}`
    observer({ kind: 'warning', message, team: '', id: '', at: clock.now() })
  }
  return bodiesInFiles({ blobs, from, clock, refused })
}

/** Combines the checks before a visit. Policies run first, so that robots.txt of a forbidden host is not requested. */
function gateOf(policies: Policies, robots: MayVisit | undefined): MayVisit | undefined {
  if (!policies.areAny) return robots
  return async (url, ask) => {
    await policies.url(url, ask)
    await robots?.(url, ask)
  }
}

interface StoreWithRoom {
  readonly store: Store
  readonly room: JobMemory
}

/** Creates a store in memory, with limits for results, uploaded files and jobs. */
function openRoom({ storeBytes, jobBytes }: EngineKeeping, clock: Clock, observer: Observer): StoreWithRoom {
  const forgot = (gone: readonly { readonly bytes: number }[]): void => {
    const sum = gone.reduce((all, one) => all + one.bytes, 0)
    observer({ kind: 'store.forgot', entries: gone.length, bytes: sum, team: '', id: '', at: clock.now() })
  }
  const store = memoryStore({ clock, bytes: storeBytes, forgot })
  const room = makeJobMemory(store, { most: jobBytes, clock, forgot: (job) => forgot([job]) })
  return { store: room.store, room }
}

interface GivenPorts {
  readonly browser: Browser | undefined
  readonly sessions: Sessions | undefined
  readonly llm: LLM | undefined
  readonly proxies: Proxies | undefined
  readonly search: Search | undefined
  readonly more: readonly ProvidedPort[]
}

/** Returns the services of the engine by port name. */
function portsOf({ browser, sessions, llm, proxies, search, more }: GivenPorts): Map<string, unknown> {
  const own = [
    providePort(browserPort, browser),
    providePort(sessionsPort, sessions),
    providePort(llmPort, llm),
    providePort(proxiesPort, proxies),
    providePort(searchPort, search),
    ...more,
  ]
  return new Map(own.flatMap(({ port, service }) => (service === undefined ? [] : [[port.name, service] as const])))
}

/** Returns the capabilities of an engine, by name. A format is `false` if the engine lacks a port or a browser for it. */
export function describe(registry: Registry, ports: ReadonlyMap<string, unknown>): Capabilities {
  const { formats, actions, loaders, parsers, jobs, features, plugins } = registry
  const canCapture = loaders.some(({ offers }) => offers.includes('capture'))
  const canAct = loaders.some(({ offers }) => offers.includes('actions'))
  const isUsable = ({ requires, capture }: Format): boolean =>
    Object.values(requires).every(({ name }) => ports.has(name)) && (!capture || canCapture)
  const ofPlugins = <Part extends Format | Action>(parts: readonly Part[]) =>
    parts
      .map((part) => ({ part, plugin: registry.ownerOf(part) }))
      .filter(({ plugin }) => plugins.some(({ name }) => name === plugin))
  return {
    formats: Object.fromEntries(formats.map((format) => [format.type, isUsable(format)])),
    actions: canAct ? actions.map(({ type }) => type) : [],
    loaders: loaders.map(({ name }) => name),
    parsers: Object.fromEntries(parsers.map(({ name, accepts }) => [name, accepts])),
    files: parsers.flatMap(({ files = [] }) => files),
    ports: [...ports.keys()],
    endpoints: [
      ...activityEndpoints,
      ...jobs.map(({ kind }) => kind),
      ...features.flatMap(({ activities }) => Object.keys(activities)),
    ],
    added: {
      formats: ofPlugins(formats.filter(isUsable)).map(({ part: { type, as, options }, plugin }) => ({
        ...{ type, as, plugin, options },
      })),
      actions: ofPlugins(canAct ? actions : []).map(({ part: { type, schema }, plugin }) => ({
        ...{ type, plugin, options: schema },
      })),
    },
  }
}
