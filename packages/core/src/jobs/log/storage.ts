import type { Clock, KeepOptions, Store } from '@harvestman/ports'
import type { Vault } from '@harvestman/toolbox/sealed'
import { openLog, type Log, type LogKit } from '@harvestman/coordination'
import type { Opening } from './facts.ts'
import { storeKeys } from '../../keys.ts'

/** Storage of a job: its log and the prefix of its keys. All of it is deleted when the job expires. */
export interface JobStorage {
  readonly name: string
  readonly log: Log
  /** Returns the options for storing a value until the job expires. */
  readonly keep: () => KeepOptions
}

/** Dependencies for reading the storage of a job. */
export interface StorageKit extends LogKit {
  readonly clock: Clock
  /** Undefined if the store is in this process's memory. Required, because without it the log would be written unencrypted. */
  readonly vault: Vault | undefined
}

/** Opens the storage of a job, which need not exist yet. */
export function openJobStorage(
  store: Store,
  { id, expiresAt }: Pick<Opening, 'id' | 'expiresAt'>,
  kit: StorageKit,
): JobStorage {
  const name = jobKey(id)
  // At least 1: a TTL of 0 would mean no expiry.
  const keep = (): KeepOptions => ({ ttl: Math.max(expiresAt - kit.clock.now(), 1) })
  return { name, log: openLog(store, name, keep, kit), keep }
}

/** Returns the store key of the checkpoint of a job, which is also the prefix of all its other keys. */
export function jobKey(id: string): string {
  return storeKeys.job(id)
}

/** Returns the id of the job that a key belongs to; `undefined` for any other key. */
export function jobIn(key: string): string | undefined {
  return key.startsWith(storeKeys.job.begins) ? key.split('/')[1] : undefined
}
