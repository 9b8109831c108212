import { randomUUID } from 'node:crypto'

import { blobsInStore } from './blobs/in-store.ts'
import { memoryBlobs } from './blobs/memory.ts'
import { builtIn } from './defaults.ts'
import { jobSchemas, openJobs, type OpenJobs } from './engine-jobs.ts'
import type { Call, Capabilities, Engine, EngineOptions } from './engine-types.ts'
import { EngineError } from './errors/error.ts'
import { undiciFetcher } from './fetchers/undici.ts'
import { systemClock } from './lib/clock.ts'
import { createGuard } from './net/guard.ts'
import { browserPort, llmPort, proxiesPort } from './plugin/core-ports.ts'
import { makeLifecycle } from './plugin/lifecycle.ts'
import { providePort, type ProvidedPort } from './plugin/port.ts'
import type { Plugin } from './plugin/parts.ts'
import { map } from './map/map.ts'
import { makeRegistry, type Registry } from './plugin/registry.ts'
import type { Browser } from './ports/browser.ts'
import type { LLM } from './ports/llm.ts'
import type { Proxies } from './ports/proxies.ts'
import type { Guard } from './ports/guard.ts'
import { pageReader } from './readers/reader.ts'
import { mapSchema } from './schema/map.ts'
import { makeRobots } from './site/robots-file.ts'
import { buildScrapeSchema } from './schema/build.ts'
import { documentSchema } from './schema/document.ts'
import { readEngineOptions, type EngineKeeping, type EngineLimits } from './schema/engine-options.ts'
import { check } from './schema/problems.ts'
import { webUrl } from './schema/scrape.ts'
import type { AnyDocument } from './scrape/document.ts'
import { makePageCache } from './scrape/cache.ts'
import { makeDeadlines } from './scrape/deadline.ts'
import { findFile } from './scrape/files.ts'
import { makeHostMemory } from './scrape/hosts.ts'
import type { Kit } from './scrape/kit.ts'
import { makePluginStores } from './scrape/plugin-stores.ts'
import { makeResults } from './scrape/results.ts'
import { scrape } from './scrape/scrape.ts'
import { pagesInMemory, pagesInStore } from './scrape/page-store.ts'
import { checkStore } from './stores/check.ts'
import { memoryStore } from './stores/memory.ts'

const someTeam = 'default'

/** Makes an engine. Nothing connects yet, and nothing is shared with other engines of the process. */
export function createEngine<const Plugins extends readonly Plugin[] = readonly []>(
  options: EngineOptions<Plugins> = {},
): Engine<Plugins> {
  const { limits, keep: keeping, defaults } = readEngineOptions(options)
  const registry = makeRegistry(builtIn({ browser: options.browser !== undefined }), options.plugins ?? [])
  const schemas = {
    scrape: buildScrapeSchema(registry, defaults),
    document: documentSchema(registry),
    map: mapSchema,
    ...jobSchemas(registry, defaults),
  }
  const { kit, store, close } = openKit(options, limits, keeping, registry)
  const robots = makeRobots({ fetcher: kit.fetcher, guard: kit.guard, store })
  const jobs = openJobs({
    robots,
    kit,
    store,
    queue: options.queue,
    life: keeping.jobs,
    limits,
    schemas,
    someTeam,
    webhookSecrets: secretsOf(options),
    webhook: webhookAddress(options),
  })
  const scrapeAny = async (
    input: unknown,
    { team = someTeam, signal, keep = false, filesAt, explain = false }: Call = {},
  ): Promise<AnyDocument> => {
    const request = check(schemas.scrape, input)
    const id = randomUUID()
    const caller = { team, id, task: id, signal, keep, filesAt }
    const { document } = await scrape(request, caller, kit, { explain })
    return document
  }
  const mapAny: Engine['mapAny'] = async (input, { team = someTeam, signal } = {}) => {
    const id = randomUUID()
    const caller = { team, id, task: id, signal, keep: false }
    const pageRequest = (page: unknown) => check(schemas.scrape, page)
    return map(check(mapSchema, input), caller, { ...kit, store, robots, pageRequest })
  }
  const end = async (): Promise<void> => {
    const reason = new EngineError('closed', 'The engine was closed.')
    // Jobs first: what they have begun is left for the next engine, and not taken for failed.
    await jobs.close(reason)
    kit.deadlines.close(reason)
    await close()
  }
  return {
    ...jobs.doors,
    plugins: (options.plugins ?? []).map(({ name }) => name) as never,
    schemas,
    scrapeAny,
    // The same functions: their types say what the formats of a request make of its document.
    scrape: scrapeAny as never,
    crawl: jobs.doors.crawlAny as never,
    batch: jobs.doors.batchAny as never,
    map: mapAny,
    mapAny,
    findScrape: (id, { team = someTeam } = {}) => findScrape(id, team, kit, jobs),
    findFile: (id, { team } = {}) => findFile(kit.files, id, team),
    findHost: (url, { team = someTeam } = {}) => kit.hosts.find(hostOf(url), team),
    forgetHost: (url, { team = someTeam } = {}) => kit.hosts.forget(hostOf(url), team),
    checkStore: () => checkStore(store),
    capabilities: () => describe(registry, kit.ports),
    close: end,
    [Symbol.asyncDispose]: end,
  }
}

function hostOf(url: string): string {
  return new URL(check(webUrl, url)).host
}

function secretsOf({ webhookSecret = [] }: EngineOptions): (team: string) => readonly string[] {
  return (team) => [typeof webhookSecret === 'function' ? webhookSecret(team) : webhookSecret].flat()
}

function webhookAddress({ webhook }: EngineOptions): string | undefined {
  if (webhook !== undefined) check(webUrl, webhook.replaceAll('{{JOB_ID}}', 'id'))
  return webhook
}

/** What was asked for by itself, or as a page of a job. */
async function findScrape(id: string, team: string, { results }: Kit, jobs: OpenJobs): Promise<AnyDocument> {
  try {
    return await results.find(id, team)
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'not_found') throw error
    return jobs.findPage(id, team)
  }
}

function openKit(options: EngineOptions, limits: EngineLimits, keep: EngineKeeping, registry: Registry) {
  const { llm, proxies, observer = () => undefined, clock = systemClock } = options
  const guard: Guard = createGuard({ allowPrivate: options.allowPrivate, resolver: options.resolver })
  const fetcher = (options.fetcher ?? undiciFetcher())(guard)
  const browser = options.browser?.(guard)
  const store = options.store ?? memoryStore({ clock })
  const pages = options.store ? pagesInStore(options.store) : pagesInMemory(keep.memory, clock)
  const blobs =
    options.blobs ?? (options.store ? blobsInStore(options.store) : memoryBlobs({ clock, bytes: keep.memory }))
  const reader = pageReader({
    size: limits.readers,
    budget: limits.readTime,
    megabytes: limits.readMegabytes,
    inlineBytes: limits.inlineBytes,
    memory: keep.memory / 2,
  })
  const pluginStores = makePluginStores(store, keep.plugins)
  const closing = new AbortController()
  const warn = (message: string): void => observer({ kind: 'warning', message, team: '', id: '', at: clock.now() })
  const plugins = makeLifecycle(registry.plugins, ({ name }) => ({
    fetcher,
    guard,
    clock,
    warn,
    signal: closing.signal,
    store: (team) => pluginStores.of(name, team, true),
  }))
  const kit: Kit = {
    registry,
    fetcher,
    browser,
    guard,
    clock,
    proxies,
    observer,
    reader,
    limits,
    ports: portsOf({ browser, llm, proxies, more: options.ports ?? [] }),
    plugins,
    pluginStores,
    cache: makePageCache(pages, clock, keep.pages),
    results: makeResults(store, keep.results),
    files: { blobs, isGiven: options.blobs !== undefined, ttl: keep.files },
    hosts: makeHostMemory(store, clock, keep.hosts),
    deadlines: makeDeadlines(),
  }
  const close = async (): Promise<void> => {
    closing.abort(new EngineError('closed', 'The engine was closed.'))
    await plugins.close()
    await Promise.all([
      fetcher.close(),
      browser?.close(),
      reader.close(),
      options.store ? undefined : store.close(),
      options.blobs ? undefined : blobs.close(),
    ])
  }
  return { kit, store, close }
}

interface GivenPorts {
  readonly browser: Browser | undefined
  readonly llm: LLM | undefined
  readonly proxies: Proxies | undefined
  readonly more: readonly ProvidedPort[]
}

/** What the engine has for each port, by its name. */
function portsOf({ browser, llm, proxies, more }: GivenPorts): ReadonlyMap<string, unknown> {
  const own = [providePort(browserPort, browser), providePort(llmPort, llm), providePort(proxiesPort, proxies), ...more]
  return new Map(own.flatMap(({ port, service }) => (service === undefined ? [] : [[port.name, service] as const])))
}

function describe({ formats, actions, loaders, parsers }: Registry, ports: ReadonlyMap<string, unknown>): Capabilities {
  const canCapture = loaders.some(({ offers }) => offers.includes('capture'))
  return {
    formats: Object.fromEntries(
      formats.map(({ type, requires, capture }) => [
        type,
        Object.values(requires).every(({ name }) => ports.has(name)) && (!capture || canCapture),
      ]),
    ),
    actions: loaders.some(({ offers }) => offers.includes('actions')) ? actions.map(({ type }) => type) : [],
    loaders: loaders.map(({ name }) => name),
    parsers: Object.fromEntries(parsers.map(({ name, accepts }) => [name, accepts])),
    ports: [...ports.keys()],
  }
}
