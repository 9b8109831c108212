import type { WorkWrappers } from './work-wrappers.ts'
import type { DocumentBound } from '@harvestman/threads'
import { pageWaitsPort, type PageAttempt, type PageWait, type PageWaits } from '../plugin/core-ports.ts'
import type { LoaderKit } from '../plugin/parts.ts'
import type { Lifecycle } from '../plugin/lifecycle.ts'
import type { Registry } from '../plugin/registry.ts'
import { type Blobs, EngineError, type Ledger, type Observer, type Proxies } from '@harvestman/ports'
import type { Profiles } from '../plugin/profiles.ts'
import type { PageCache } from './cache.ts'
import type { Deadlines } from './deadline.ts'
import type { HostMemory } from './hosts.ts'
import type { PluginStores } from './plugin-stores.ts'
import type { PolicyContext } from '../plugin/policy.ts'
import type { Policies } from './policies.ts'
import type { Reader } from './reader.ts'
import type { Results } from './results.ts'
import type { SiteRoute } from './site-route.ts'

/** Dependencies of a scrape: the guarded ports of one engine and the parts of its registry. */
export interface Kit extends LoaderKit {
  readonly registry: Registry
  /** Services of the engine, by port name. */
  readonly ports: ReadonlyMap<string, unknown>
  readonly plugins: Lifecycle
  readonly pluginStores: PluginStores
  /** Headers sent to every page's host, with lower-case names. */
  readonly sends: Readonly<Record<string, string>>
  /** Rejects if a page may not be visited. Absent if only jobs check that. */
  readonly mayVisit: MayVisit | undefined
  /** True if robots.txt is respected for every page, even if a request disables it. */
  readonly obeysRobots: boolean
  readonly policies: Policies
  readonly proxies: Proxies | undefined
  readonly ledger: Ledger
  /** Generates the ids of requests. */
  readonly newId: () => string
  /** Id of this engine, unique among the engines that share the store. */
  readonly engine: string
  readonly reader: Reader
  readonly cache: PageCache
  readonly results: Results
  readonly files: Files
  readonly hosts: HostMemory
  readonly deadlines: Deadlines
  readonly profiles: Profiles
  /** Wrappers that features add around operations. */
  readonly around: WorkWrappers
  readonly observer: Observer
  readonly limits: Limits
}

/** Rejects if the rules of an engine do not allow a visit to the URL. */
export type MayVisit = (
  url: URL,
  ask: PolicyContext & {
    tell(message: string): void
    readonly isFresh?: boolean | undefined
    readonly route?: SiteRoute | undefined
  },
) => Promise<void>

/** Limits for pages and documents. */
export interface Limits {
  /** Maximum size of a decompressed response body in bytes. */
  readonly bodyBytes: number
  /** Maximum size of a page that is parsed, in bytes. */
  readonly pageBytes: number
  /** Maximum size of a document in bytes. */
  readonly documentBytes: number
  readonly documentValues: number
}

/** Returns the maximum size of a document, in bytes and in values. */
export function documentLimit({ limits }: Pick<Kit, 'limits'>): DocumentBound {
  return { bytes: limits.documentBytes, values: limits.documentValues }
}

/** File storage of an engine, and how long files are stored. */
export interface Files {
  readonly blobs: Blobs
  /** True if the host application configured that storage. Otherwise files stay in the document, unless they are served. */
  readonly isConfigured: boolean
  readonly ttl: number
}

/**
 * Loads a page that has the option `person`, or returns the wait that it must join before or after the attempt. Rejects as
 * `load` does if there is no wait.
 */
export async function loadOrWait<Loaded>(
  { ports, clock }: Pick<Kit, 'ports' | 'clock'>,
  page: Omit<PageAttempt, 'triedAt'>,
  signal: AbortSignal | undefined,
  load: () => Promise<Loaded>,
): Promise<{ readonly loaded: Loaded } | { readonly wait: PageWait }> {
  const waits = waitsOf(ports)
  const attempt = { ...page, triedAt: clock.now() }
  const before = await waits?.before(attempt)
  if (before) return { wait: before }
  try {
    return { loaded: await load() }
  } catch (error) {
    const after = signal?.aborted !== true && EngineError.is(error) ? await waits?.after(attempt, error) : undefined
    if (after) return { wait: after }
    throw error
  }
}

/** Ends the waits of the pages of a scrape or job. Rejects if the store fails. */
export async function endWaits({ ports }: Pick<Kit, 'ports'>, work: Pick<PageAttempt, 'team' | 'id'>): Promise<void> {
  await waitsOf(ports)?.ended?.(work)
}

function waitsOf(ports: Kit['ports']): PageWaits | undefined {
  // Cast: the service of a port has its type.
  return ports.get(pageWaitsPort.name) as PageWaits | undefined
}
