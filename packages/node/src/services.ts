import type { Queue, Store } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'
import { bossQueue, postgresStore } from '@harvestman/postgres'
import { bullQueue, redisStore } from '@harvestman/redis'

interface Service {
  readonly begins: RegExp
  readonly store: (address: string) => Store | undefined
  /** Absent where tasks are handed out within the process. */
  readonly queue?: (address: string) => Queue
}

// By how an address begins.
const services: readonly Service[] = [
  { begins: /^memory:$/, store: () => undefined },
  { begins: /^sqlite:./, store: (address) => sqliteStore(address.slice('sqlite:'.length)) },
  { begins: /^rediss?:\/\/./, store: (address) => redisStore(address), queue: (address) => bullQueue(address) },
  {
    begins: /^postgres(ql)?:\/\/./,
    store: (address) => postgresStore(address),
    queue: (address) => bossQueue(address),
  },
]

const serviceOf = (address: string): Service | undefined => services.find(({ begins }) => begins.test(address))

export const isStoreAddress = (address: string): boolean => serviceOf(address) !== undefined

export const isQueueAddress = (address: string): boolean => serviceOf(address)?.queue !== undefined

/** The store at an address; nothing for that of the engine itself. */
export function openStore(address: string | undefined): Store | undefined {
  return address === undefined ? undefined : serviceOf(address)?.store(address)
}

/** The queue that was named, or the one that the service of the store also is; nothing for that of the engine itself. */
export function openQueue(named: string | undefined, store: string | undefined): Queue | undefined {
  const address = named ?? store
  return address === undefined ? undefined : serviceOf(address)?.queue?.(address)
}

/** Whether several machines may share what is kept there. */
export function isForMany(store: string | undefined): boolean {
  return store !== undefined && isQueueAddress(store)
}

/** An address as it may be shown. */
export function shownAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || url.host === '') return address
  url.username = ''
  url.password = ''
  url.search = ''
  return url.href
}
