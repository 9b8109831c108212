import type { Queue, Store } from '@harvestman/ports'

import { loadOptional } from './optional.ts'

interface Service {
  readonly begins: RegExp
  readonly store: (address: string) => Promise<Store | undefined>
  /** Absent where tasks are handed out within the process. */
  readonly queue?: (address: string) => Promise<Queue>
  /** What is not as it should be with how the service is set up, in a sentence. */
  readonly lacks?: (address: string) => Promise<string | undefined>
}

const redis = () => loadOptional('@harvestman/redis', 'A Redis address', () => import('@harvestman/redis'))
const postgres = () => loadOptional('@harvestman/postgres', 'A Postgres address', () => import('@harvestman/postgres'))

// By how an address begins. The technology is loaded where it is named.
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

export const isStoreAddress = (address: string): boolean => serviceOf(address) !== undefined

export const isQueueAddress = (address: string): boolean => serviceOf(address)?.queue !== undefined

/** The store at an address; nothing for that of the engine itself. */
export async function openStore(address: string | undefined): Promise<Store | undefined> {
  return address === undefined ? undefined : serviceOf(address)?.store(address)
}

/** The queue that was named, or the one that the service of the store also is; nothing for that of the engine itself. */
export async function openQueue(named: string | undefined, store: string | undefined): Promise<Queue | undefined> {
  const address = named ?? store
  return address === undefined ? undefined : serviceOf(address)?.queue?.(address)
}

/** What the service at an address lacks to keep what it was given, where it lacks something. */
export async function whatServiceLacks(address: string): Promise<string | undefined> {
  return serviceOf(address)?.lacks?.(address)
}

/** Whether several machines may share what is kept there. */
export function isForMany(store: string | undefined): boolean {
  return store !== undefined && isQueueAddress(store)
}

/** An address as it may be shown. */
export function shownAddress(address: string): string {
  const url = URL.parse(address)
  // Several hosts make no URL.
  if (!url) return address.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '')
  if (url.host === '') return address
  url.username = ''
  url.password = ''
  url.search = ''
  return url.href
}
