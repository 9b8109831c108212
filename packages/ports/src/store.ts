import type { Stop } from './queue.ts'
import type { Json, Value } from './value.ts'

/** Prefix of the keys that can be listed. */
export const listedKeys = 'list/'

/**
 * A key-value store. All persistent state is built on its methods. A key is any well-formed string, including the empty one;
 * keys that differ in any character are different keys.
 */
export interface Store {
  /** Callers among which `update` is atomic: callers in this process, or all processes that share the backend. */
  readonly reach: 'process' | 'shared'
  /**
   * Must return the value last set, as an equal copy, or `undefined` if the key is absent or its ttl has passed. Bytes are
   * returned as a `Uint8Array`. Properties with the value `undefined` are omitted.
   */
  get(key: string): Promise<Value | undefined>
  /**
   * Must reject if the value could not be written, or is neither JSON nor bytes. Without a ttl the value stays until it is
   * deleted, even if the key had a ttl before. Of several calls for a key the last one wins. The caller must not change bytes
   * until the call has settled. After that the caller may change or free them, so a store must copy what it retains longer. The
   * same holds for `update`.
   */
  set(key: string, value: Value, options?: KeepOptions): Promise<void>
  /**
   * Must atomically read, change and write, and resolve to the written value. `change` is pure and may run several times:
   * returning `undefined` deletes the key, returning the very same value writes nothing, and throwing rejects and changes
   * nothing. A given ttl starts again; without one, the key's current ttl is unchanged.
   */
  update(
    key: string,
    change: (old: Value | undefined) => Value | undefined,
    options?: UpdateOptions,
  ): Promise<Value | undefined>
  /** Must succeed if the key is absent. */
  delete(key: string): Promise<void>
  /**
   * Must return the live entries whose keys have the prefix, ordered by the code points of their keys (the order of their UTF-8
   * bytes): at most `limit`, and fewer only if there are no more. Entries that exist during the whole call must be included;
   * entries added or deleted meanwhile may be. Must find every key with the prefix `listedKeys`, however it was written. Other
   * keys need not be found, so a store without ordered keys needs an index of the listed keys only.
   */
  list(prefix: string, options: ListOptions): Promise<readonly ListedEntry[]>
  /** Optional optimization: several `get`s at once, in the order of the keys. */
  getMany?(keys: readonly string[]): Promise<readonly (Value | undefined)[]>
  /** Optional optimization: returns for each key whether it is live, without reading the values, in the order of the keys. */
  has?(keys: readonly string[]): Promise<readonly boolean[]>
  /**
   * Optional optimization: appends to the list under the key without reading it. Must be equivalent to an atomic `update` with
   * `(old) => [...(old ?? []), ...items]`: an absent key becomes a list, the items of one call stay together and in order,
   * `get` returns the full list, and the ttl works as in `update`. Must reject and change nothing if the stored value is not a
   * list.
   */
  add?(key: string, items: readonly Json[], options?: KeepOptions): Promise<void>
  /**
   * Optional optimization in place of polling. Must call `changed` soon after each write to exactly this key that begins after
   * this has resolved, by any caller among which `update` is atomic; several writes may cause one call. It may also be called
   * without a write. A store that lost the connection to its backend must call it after reconnecting. Expiry is not reported.
   * The new value is not passed and must be read.
   */
  watch?(key: string, changed: () => void): Promise<Stop>
  /**
   * Only for migrations: iterates over the live entries with this key prefix, a few at a time, in any order, each at least
   * once. Entries written meanwhile may be missing. The reader owns the values.
   */
  scan?(beginning: string): AsyncIterable<readonly KeptEntry[]>
  /**
   * Only for health checks: must reject if values written now would be lost although writing succeeds, for example into a
   * deleted file. `reason` in the details of the error is a word or two for the operator.
   */
  check?(): Promise<void>
  /**
   * Returns a number that changes when the store has connected to a server that may lack the latest writes: a server that was
   * promoted or restored, or restarted without having written everything to disk. Must change before a write to the new server
   * resolves. A store without this method is assumed to lose no acknowledged writes.
   */
  generation?(): number
  /** Must let pending writes finish, and make every later call reject. Closing again does nothing. */
  close(): Promise<void>
}

/** Options for storing a value. */
export interface KeepOptions {
  /** Milliseconds until the value expires: it is available before, and gone at that moment. */
  readonly ttl?: number
  /** The value may be removed early when space is short: readers can handle that, and nothing else depends on it. */
  readonly isSpare?: boolean
}

/** Options of an update. */
export interface UpdateOptions extends KeepOptions {
  /**
   * Hint: the key is most likely absent, so a store may write before it reads. `change` must then not throw for an absent key.
   */
  readonly isNew?: boolean
}

/** Range of a list. */
export interface ListOptions {
  /** Maximum number of entries, from 1 to 1000. */
  readonly limit: number
  /** Last key of the previous page: entries begin after this key, which need not exist any more. */
  readonly after?: string | undefined
  /** True to list from the last key to the first. */
  readonly isReverse?: boolean
}

/** Entry of `list`. The reader owns the value. */
export interface ListedEntry {
  readonly key: string
  readonly value: Value
}

/** Entry of `scan`. */
export interface KeptEntry extends ListedEntry {
  /** Milliseconds until it expires; absent if it does not. */
  readonly ttl?: number
}
