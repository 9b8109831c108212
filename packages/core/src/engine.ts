import { randomUUID } from 'node:crypto'

import type { z } from 'zod'

import { blobsInStore } from './blobs/in-store.ts'
import { memoryBlobs } from './blobs/memory.ts'
import { builtIn, defaultKeeping, defaultLimits } from './defaults.ts'
import { jobSchemas, openJobs, type JobDoors, type JobSchemas, type OpenJobs } from './engine-jobs.ts'
import { EngineError } from './errors/error.ts'
import { undiciFetcher } from './fetchers/undici.ts'
import { systemClock } from './lib/clock.ts'
import { createGuard, type Resolver } from './net/guard.ts'
import type { PortName } from './plugin/field.ts'
import type { Plugin } from './plugin/parts.ts'
import { map, type MapResult } from './map/map.ts'
import { makeRegistry, type Registry } from './plugin/registry.ts'
import type { Blob, Blobs } from './ports/blobs.ts'
import type { MakeBrowser } from './ports/browser.ts'
import type { Clock } from './ports/clock.ts'
import type { MakeFetcher } from './ports/fetcher.ts'
import type { Guard } from './ports/guard.ts'
import type { LLM } from './ports/llm.ts'
import type { Observer } from './ports/observer.ts'
import type { Proxies } from './ports/proxies.ts'
import type { Queue } from './ports/queue.ts'
import type { Store } from './ports/store.ts'
import { pageReader } from './readers/reader.ts'
import { mapSchema } from './schema/map.ts'
import { makeRobots } from './site/robots-file.ts'
import { buildScrapeSchema, type ScrapeSchema } from './schema/build.ts'
import { documentSchema } from './schema/document.ts'
import { check } from './schema/problems.ts'
import { requestDefaults, webUrl, type RequestDefaults } from './schema/scrape.ts'
import type { AnyDocument } from './scrape/document.ts'
import { makePageCache } from './scrape/cache.ts'
import { makeDeadlines } from './scrape/deadline.ts'
import { findFile } from './scrape/files.ts'
import { makeHostMemory, type KnownHost } from './scrape/hosts.ts'
import type { Kit } from './scrape/kit.ts'
import { makeResults } from './scrape/results.ts'
import { scrape } from './scrape/scrape.ts'
import { pagesInMemory, pagesInStore } from './scrape/page-store.ts'
import { memoryStore } from './stores/memory.ts'
import type { ActionsOf, DocumentFor, FormatsOf, ScrapeInput } from './types.ts'

export interface EngineOptions<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** Keeps results, and pages for the cache. In memory when absent. */
  readonly store?: Store | undefined
  /** Hands out jobs to engines. Within this process when absent. */
  readonly queue?: Queue | undefined
  /** Where pictures and PDFs go. Without it they stay in the document, as `data:` addresses, or go to the store when served. */
  readonly blobs?: Blobs | undefined
  readonly fetcher?: MakeFetcher | undefined
  readonly browser?: MakeBrowser | undefined
  /** Picks the proxies of `proxy: basic`, `enhanced` and `auto`. Without it, hosts are asked directly. */
  readonly proxies?: Proxies | undefined
  readonly llm?: LLM | undefined
  readonly clock?: Clock | undefined
  readonly observer?: Observer | undefined
  readonly plugins?: Plugins
  /** Signs what webhooks are sent: one secret, both while one is being replaced, or those of each team. */
  readonly webhookSecret?: Secrets | ((team: string) => Secrets) | undefined
  /** Where jobs tell of themselves that were given no webhook; `{{JOB_ID}}` in it stands for the id of the job. */
  readonly webhook?: string | undefined
  /** Private addresses that may be visited: `CIDR` or `CIDR:port`. None when absent. */
  readonly allowPrivate?: readonly string[] | undefined
  /** How names become addresses; that of the machine when absent. */
  readonly resolver?: Resolver | undefined
  readonly limits?: Partial<typeof defaultLimits> | undefined
  readonly keep?: Partial<typeof defaultKeeping> | undefined
  /** What requests ask for that say nothing. */
  readonly defaults?: Partial<RequestDefaults> | undefined
}

export type Secrets = string | readonly string[]

/** How one request is carried out, beside what it asks for. */
export interface Call {
  /** Who asks. Teams never see each other's things. */
  readonly team?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Keeps the document, so that `findScrape` gives it later. */
  readonly keep?: boolean | undefined
  /** For servers: the address before the ids of files, which the document then has instead of their bytes. */
  readonly filesAt?: string | undefined
  /** Adds `explain` to the document: what was decided on the way, and why. */
  readonly explain?: boolean | undefined
}

export interface Engine<Plugins extends readonly Plugin[] = readonly Plugin[]> extends JobDoors {
  /** Loads a page and gives its content in the formats asked for. */
  scrape<const Request extends ScrapeInput<FormatsOf<Plugins>, ActionsOf<Plugins>>>(
    request: Request,
    call?: Call,
  ): Promise<DocumentFor<Request, FormatsOf<Plugins>>>
  /** The same for a request that comes from elsewhere: it is checked, whatever it is. */
  scrapeAny(request: unknown, call?: Call): Promise<AnyDocument>
  /** Finds the addresses of a site. */
  map(request: unknown, call?: Pick<Call, 'team' | 'signal'>): Promise<MapResult>
  /** A document that was kept, by its `metadata.scrapeId`. */
  findScrape(id: string, call?: Pick<Call, 'team'>): Promise<AnyDocument>
  /** A picture or a PDF that was kept, by its id or by an address that is one (`urn:uuid:…`). */
  findFile(id: string, call?: Pick<Call, 'team'>): Promise<Blob>
  /** What is remembered of the host of an address: it is there while its pages go to the browser at once. */
  findHost(url: string, call?: Pick<Call, 'team'>): Promise<KnownHost | undefined>
  forgetHost(url: string, call?: Pick<Call, 'team'>): Promise<void>
  readonly schemas: {
    readonly scrape: ScrapeSchema
    readonly document: z.ZodType
    readonly map: typeof mapSchema
  } & JobSchemas
  /** What this engine can do, by name. */
  capabilities(): Capabilities
  /** Ends what is running, and closes what the engine opened; what it was given stays open. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface Capabilities {
  readonly formats: Readonly<Record<string, boolean>>
  readonly actions: readonly string[]
  readonly loaders: readonly string[]
  readonly parsers: Readonly<Record<string, readonly string[]>>
  readonly ports: readonly PortName[]
}

const someTeam = 'default'

/** Makes an engine. Nothing connects yet, and nothing is shared with other engines of the process. */
export function createEngine<const Plugins extends readonly Plugin[] = readonly []>(
  options: EngineOptions<Plugins> = {},
): Engine<Plugins> {
  const defaults = { ...requestDefaults, ...options.defaults }
  const registry = makeRegistry(builtIn({ browser: options.browser !== undefined }), options.plugins ?? [])
  const schemas = {
    scrape: buildScrapeSchema(registry, defaults),
    document: documentSchema(registry),
    map: mapSchema,
    ...jobSchemas(registry, defaults),
  }
  const { kit, store, limits, keep: keeping, close } = openKit(options, registry)
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
    const caller = { team, id: randomUUID(), signal, keep, filesAt }
    const { document } = await scrape(request, caller, kit, { explain })
    return document
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
    schemas,
    scrapeAny,
    scrape: scrapeAny as never,
    map: async (input, { team = someTeam, signal } = {}) => {
      const caller = { team, id: randomUUID(), signal, keep: false }
      const pageRequest = (page: unknown) => check(schemas.scrape, page)
      return map(check(mapSchema, input), caller, { ...kit, store, robots, pageRequest })
    },
    findScrape: (id, { team = someTeam } = {}) => findScrape(id, team, kit, jobs),
    findFile: (id, { team } = {}) => findFile(kit.files, id, team),
    findHost: (url, { team = someTeam } = {}) => kit.hosts.find(hostOf(url), team),
    forgetHost: (url, { team = someTeam } = {}) => kit.hosts.forget(hostOf(url), team),
    capabilities: () => describe(registry, kit.ports.has),
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

function openKit(options: EngineOptions, registry: Registry) {
  const { llm, proxies, observer = () => undefined, clock = systemClock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const keep = { ...defaultKeeping, ...options.keep }
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
  const given = { browser, llm, proxies }
  const has = new Set((Object.keys(given) as (keyof typeof given)[]).filter((port) => given[port] !== undefined))
  const kit: Kit = {
    registry,
    fetcher,
    browser,
    guard,
    clock,
    llm,
    proxies,
    observer,
    reader,
    limits,
    ports: { has },
    cache: makePageCache(pages, clock, keep.pages),
    results: makeResults(store, keep.results),
    files: { blobs, isGiven: options.blobs !== undefined, ttl: keep.files },
    hosts: makeHostMemory(store, clock, keep.hosts),
    deadlines: makeDeadlines(),
  }
  const close = async (): Promise<void> => {
    await Promise.all([
      fetcher.close(),
      browser?.close(),
      reader.close(),
      options.store ? undefined : store.close(),
      options.blobs ? undefined : blobs.close(),
    ])
  }
  return { kit, store, limits, keep, close }
}

function describe({ formats, actions, loaders, parsers }: Registry, has: ReadonlySet<PortName>): Capabilities {
  const canCapture = loaders.some(({ offers }) => offers.includes('capture'))
  return {
    formats: Object.fromEntries(
      formats.map(({ type, requires, capture }) => [
        type,
        requires.every((port) => has.has(port)) && (!capture || canCapture),
      ]),
    ),
    actions: loaders.some(({ offers }) => offers.includes('actions')) ? actions.map(({ type }) => type) : [],
    loaders: loaders.map(({ name }) => name),
    parsers: Object.fromEntries(parsers.map(({ name, accepts }) => [name, accepts])),
    ports: [...has],
  }
}
