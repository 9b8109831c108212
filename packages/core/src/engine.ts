import { randomUUID } from 'node:crypto'

import type { z } from 'zod'

import { builtIn, defaultKeeping, defaultLimits } from './defaults.ts'
import { EngineError } from './errors/error.ts'
import { undiciFetcher } from './fetchers/undici.ts'
import { systemClock } from './lib/clock.ts'
import { createGuard, type Resolver } from './net/guard.ts'
import type { PortName } from './plugin/field.ts'
import type { Plugin } from './plugin/parts.ts'
import { makeRegistry, type Registry } from './plugin/registry.ts'
import type { MakeBrowser } from './ports/browser.ts'
import type { Clock } from './ports/clock.ts'
import type { MakeFetcher } from './ports/fetcher.ts'
import type { Guard } from './ports/guard.ts'
import type { LLM } from './ports/llm.ts'
import type { Observer } from './ports/observer.ts'
import type { Store } from './ports/store.ts'
import { pageReader } from './readers/reader.ts'
import { buildScrapeSchema, type ScrapeSchema } from './schema/build.ts'
import { documentSchema } from './schema/document.ts'
import { check } from './schema/problems.ts'
import { requestDefaults, type RequestDefaults } from './schema/scrape.ts'
import type { AnyDocument } from './scrape/document.ts'
import { makePageCache } from './scrape/cache.ts'
import { makeDeadlines } from './scrape/deadline.ts'
import type { Kit } from './scrape/kit.ts'
import { makeResults } from './scrape/results.ts'
import { scrape } from './scrape/scrape.ts'
import { shelfInMemory, shelfInStore } from './scrape/shelf.ts'
import { memoryStore } from './stores/memory.ts'
import type { ActionsOf, DocumentFor, FormatsOf, ScrapeInput } from './types.ts'

export interface EngineOptions<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** Keeps results, and pages for the cache. In memory when absent. */
  readonly store?: Store | undefined
  readonly fetcher?: MakeFetcher | undefined
  readonly browser?: MakeBrowser | undefined
  readonly llm?: LLM | undefined
  readonly clock?: Clock | undefined
  readonly observer?: Observer | undefined
  readonly plugins?: Plugins
  /** Private addresses that may be visited: `CIDR` or `CIDR:port`. None when absent. */
  readonly allowPrivate?: readonly string[] | undefined
  /** How names become addresses; that of the machine when absent. */
  readonly resolver?: Resolver | undefined
  readonly limits?: Partial<typeof defaultLimits> | undefined
  readonly keep?: Partial<typeof defaultKeeping> | undefined
  /** What requests ask for that say nothing. */
  readonly defaults?: Partial<RequestDefaults> | undefined
}

/** How one request is carried out, beside what it asks for. */
export interface Call {
  /** Who asks. Teams never see each other's things. */
  readonly team?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Keeps the document, so that `findScrape` gives it later. */
  readonly keep?: boolean | undefined
}

export interface Engine<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** Loads a page and gives its content in the formats asked for. */
  scrape<const Request extends ScrapeInput<FormatsOf<Plugins>, ActionsOf<Plugins>>>(
    request: Request,
    call?: Call,
  ): Promise<DocumentFor<Request, FormatsOf<Plugins>>>
  /** The same for a request that comes from elsewhere: it is checked, whatever it is. */
  scrapeAny(request: unknown, call?: Call): Promise<AnyDocument>
  /** A document that was kept, by its `metadata.scrapeId`. */
  findScrape(id: string, call?: Pick<Call, 'team'>): Promise<AnyDocument>
  readonly schemas: { readonly scrape: ScrapeSchema; readonly document: z.ZodType }
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
  const schemas = { scrape: buildScrapeSchema(registry, defaults), document: documentSchema(registry) }
  const { kit, close } = openKit(options, registry)
  const scrapeAny = async (
    input: unknown,
    { team = someTeam, signal, keep = false }: Call = {},
  ): Promise<AnyDocument> => {
    const request = check(schemas.scrape, input)
    return scrape(request, { team, id: randomUUID(), signal, keep }, kit)
  }
  const end = async (): Promise<void> => {
    kit.deadlines.close(new EngineError('closed', 'The engine was closed.'))
    await close()
  }
  return {
    schemas,
    scrapeAny,
    scrape: scrapeAny as never,
    findScrape: (id, { team = someTeam } = {}) => kit.results.find(id, team),
    capabilities: () => describe(registry, kit.ports.has),
    close: end,
    [Symbol.asyncDispose]: end,
  }
}

function openKit(
  options: EngineOptions,
  registry: Registry,
): { readonly kit: Kit; readonly close: () => Promise<void> } {
  const { llm, observer = () => undefined, clock = systemClock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const keep = { ...defaultKeeping, ...options.keep }
  const guard: Guard = createGuard({ allowPrivate: options.allowPrivate, resolver: options.resolver })
  const fetcher = (options.fetcher ?? undiciFetcher())(guard)
  const browser = options.browser?.(guard)
  const store = options.store ?? memoryStore({ clock })
  const shelf = options.store ? shelfInStore(options.store) : shelfInMemory(keep.memory, clock)
  const reader = pageReader({
    size: limits.readers,
    budget: limits.readTime,
    megabytes: limits.readMegabytes,
    inlineBytes: limits.inlineBytes,
    memory: keep.memory / 2,
  })
  const has = new Set<PortName>([...(browser ? ['browser' as const] : []), ...(llm ? ['llm' as const] : [])])
  const kit: Kit = {
    registry,
    fetcher,
    browser,
    guard,
    clock,
    llm,
    observer,
    reader,
    limits,
    ports: { has },
    cache: makePageCache(shelf, clock, keep.pages),
    results: makeResults(store, keep.results),
    deadlines: makeDeadlines(),
  }
  const close = async (): Promise<void> => {
    await Promise.all([fetcher.close(), browser?.close(), reader.close(), options.store ? undefined : store.close()])
  }
  return { kit, close }
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
