import type { Around } from './around.ts'
import type { DocumentBound } from '@harvestman/threads'
import type { LoaderKit } from '../plugin/parts.ts'
import type { Lifecycle } from '../plugin/lifecycle.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Blobs, Ledger, Observer, Proxies } from '@harvestman/ports'
import type { PageCache } from './cache.ts'
import type { Deadlines } from './deadline.ts'
import type { HostMemory } from './hosts.ts'
import type { PluginStores } from './plugin-stores.ts'
import type { PolicyContext } from '../plugin/policy.ts'
import type { Policies } from './policies.ts'
import type { Reader } from './reader.ts'
import type { Results } from './results.ts'

/** Kit of a scrape: the ports of one engine, guarded, and the parts of its registry. */
export interface Kit extends LoaderKit {
  readonly registry: Registry
  /** Services of the engine, by the names of their ports. */
  readonly ports: ReadonlyMap<string, unknown>
  readonly plugins: Lifecycle
  readonly pluginStores: PluginStores
  /** Headers that go to the host of every page; lower-case names. */
  readonly sends: Readonly<Record<string, string>>
  /** Rejects where a page may not be visited, for whatever was asked; absent where only jobs ask. */
  readonly mayVisit: MayVisit | undefined
  /** True when robots.txt is checked for every page, also for a request that says otherwise. */
  readonly obeysRobots: boolean
  readonly policies: Policies
  readonly proxies: Proxies | undefined
  readonly ledger: Ledger
  /** Makes the ids of requests. */
  readonly newId: () => string
  /** The name of this engine among all on the same store. */
  readonly engine: string
  readonly reader: Reader
  readonly cache: PageCache
  readonly results: Results
  readonly files: Files
  readonly hosts: HostMemory
  readonly deadlines: Deadlines
  /** Wrappers around each piece of work. */
  readonly around: Around
  readonly observer: Observer
  readonly limits: Limits
}

export type MayVisit = (
  url: URL,
  ask: PolicyContext & { tell(message: string): void; readonly isFresh?: boolean | undefined },
) => Promise<void>

export interface Limits {
  /** The largest body that is taken, unpacked, in bytes. */
  readonly bodyBytes: number
  /** The largest text that is read as a page, in bytes. */
  readonly pageBytes: number
  /** Most bytes of a document. */
  readonly documentBytes: number
  readonly documentValues: number
}

export function boundOf({ limits }: Pick<Kit, 'limits'>): DocumentBound {
  return { bytes: limits.documentBytes, values: limits.documentValues }
}

/** Storage of the files of an engine, and their retention. */
export interface Files {
  readonly blobs: Blobs
  /** True when the host chose that storage. Otherwise files stay in the document, unless their addresses are served. */
  readonly isGiven: boolean
  readonly ttl: number
}
