import type { Clock, KeepOptions, Store } from '@harvestman/ports'
import type { Vault } from '@harvestman/ports/adapters'
import { openLog, type Log, type LogKit } from '@harvestman/coordination'
import type { Opening } from './facts.ts'
import { storeKeys } from '../../keys.ts'

/** The keys of a job in the store. All of them are gone when the job expires. */
export interface JobStorage {
  readonly name: string
  readonly log: Log
  /** Returns the options for keeping something for the rest of the life of the job. */
  readonly keep: () => KeepOptions
}

/** Kit for reading the storage of a job. */
export interface StorageKit extends LogKit {
  readonly clock: Clock
  /** Undefined where the store is the memory of this process. Never left out: a log would be written in clear. */
  readonly vault: Vault | undefined
}

export function openJobStorage(
  store: Store,
  { id, expiresAt }: Pick<Opening, 'id' | 'expiresAt'>,
  kit: StorageKit,
): JobStorage {
  const name = jobKey(id)
  // A ttl of nothing would keep for ever what should be gone.
  const keep = (): KeepOptions => ({ ttl: Math.max(expiresAt - kit.clock.now(), 1) })
  return { name, log: openLog(store, name, keep, kit), keep }
}

export function jobKey(id: string): string {
  return storeKeys.job(id)
}

/** The job that a key belongs to. */
export function jobIn(key: string): string | undefined {
  return key.startsWith(storeKeys.job.begins) ? key.split('/')[1] : undefined
}
