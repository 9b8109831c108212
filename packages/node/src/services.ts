import type { Queue, Store } from '@harvestman/ports'

import { loadOptional } from '@harvestman/toolbox/load-optional'

interface Service {
  readonly begins: RegExp
  readonly store: (address: string) => Promise<Store | undefined>
  /** Absent if tasks are queued within the process. */
  readonly queue?: (address: string) => Promise<Queue>
  /** Returns a misconfiguration of the service as a sentence, or `undefined`. */
  readonly lacks?: (address: string) => Promise<string | undefined>
}

const redis = () => loadOptional('@harvestman/redis', 'A Redis address', () => import('@harvestman/redis'))
const postgres = () => loadOptional('@harvestman/postgres', 'A Postgres address', () => import('@harvestman/postgres'))

// Matched by URL prefix. Each technology is loaded only when it is used.
const services: readonly Service[] = [
  { begins: /^memory:$/, store: async () => undefined },
  {
    begins: /^sqlite:./,
    store: async (address) => (await import('@harvestman/keyv')).sqliteStore(address.slice('sqlite:'.length)),
  },
  {
    begins: /^redis(s|\+sentinel|s?\+cluster)?:\/\/./,
    store: async (address) => (await redis()).redisStore(address),
    queue: async (address) => (await redis()).bullQueue(address),
    lacks: async (address) => (await redis()).redisEvicts(address),
  },
  {
    begins: /^postgres(ql)?:\/\/./,
    store: async (address) => (await postgres()).postgresStore(address),
    queue: async (address) => (await postgres()).bossQueue(address),
  },
]

const serviceOf = (address: string): Service | undefined => services.find(({ begins }) => begins.test(address))

/** Returns whether a string is the URL of a store that this process can open, such as `sqlite:` or `redis:`. */
export const isStoreUrl = (address: string): boolean => serviceOf(address) !== undefined

/** Returns whether a string is the URL of a service that also has a queue. */
export const isQueueUrl = (address: string): boolean => serviceOf(address)?.queue !== undefined

/**
 * Opens the store at a URL. Returns `undefined` for the engine's own store in memory, and for a URL of an unknown
 * kind. Rejects if it cannot be opened.
 */
export async function openStore(address: string | undefined): Promise<Store | undefined> {
  return address === undefined ? undefined : serviceOf(address)?.store(address)
}

/**
 * Opens the configured queue, else the queue of the store's service. Returns `undefined` for the engine's own queue.
 * Rejects if it cannot be opened.
 */
export async function openQueue(named: string | undefined, store: string | undefined): Promise<Queue | undefined> {
  const address = named ?? store
  return address === undefined ? undefined : serviceOf(address)?.queue?.(address)
}

/**
 * Returns a misconfiguration of the service at a URL that could lose data, or `undefined`. Only Redis is checked. Rejects with
 * `store_failed` if it cannot be reached.
 */
export async function whatServiceLacks(address: string): Promise<string | undefined> {
  return serviceOf(address)?.lacks?.(address)
}

/** Returns the file of a SQLite store by its URL; `undefined` for other stores and for SQLite in memory. */
export function sqliteFileOf(store: string | undefined): string | undefined {
  return store?.startsWith('sqlite:') && store !== 'sqlite::memory:' ? store.slice('sqlite:'.length) : undefined
}

/** Returns whether a string is the URL of Postgres. */
export const isPostgresUrl = (address: string): boolean => /^postgres(ql)?:\/\/./.test(address)

/** Opens a pool of connections to Postgres. Rejects with `not_configured` if the package for it is not installed. */
export async function openPostgres(url: string) {
  return (await postgres()).postgresPool(url)
}

/** Returns whether several hosts can share the store with this URL; false without a URL. */
export function isForMany(store: string | undefined): boolean {
  return store !== undefined && isQueueUrl(store)
}

/**
 * Returns a URL without credentials and query, also a list of hosts such as `redis+cluster://`. Other strings are unchanged.
 */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address)
  // A list of several hosts is not a valid URL.
  if (!url) return address.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '')
  if (url.host === '') return address
  url.username = ''
  url.password = ''
  url.search = ''
  return url.href
}
