import type { Stop } from './queue.ts'
import type { Json, Value } from './value.ts'

/** Keys that begin so can be listed. */
export const listedKeys = 'list/'

/**
 * Keeps values by key. Five verbs; everything lasting is built on them. A key is any well-formed string, also an empty
 * one; two keys that differ in anything are two keys.
 */
export interface Store {
  /** Callers among which `update` is one step: those of this process, or all that share the backend. */
  readonly reach: 'process' | 'shared'
  /**
   * Must give what was last set, equal in value and not the same object; `undefined` when the key is absent or its ttl
   * has passed. Bytes come back as a `Uint8Array`. A property whose value is `undefined` comes back absent.
   */
  get(key: string): Promise<Value | undefined>
  /**
   * Must reject when the value could not be written, and when it is neither JSON nor bytes. Without a ttl the value
   * stays until it is deleted, whatever ttl the key had before. Of several calls for a key the last one wins. A caller that
   * gives bytes leaves them as they are until the call has settled. Then they are the giver's again, who may free them:
   * what a store keeps longer it must have copied. The same holds for `update`.
   */
  set(key: string, value: Value, options?: KeepOptions): Promise<void>
  /**
   * Must read, change and write in one step, whatever other writers do, and resolve to what it wrote. `change` is pure and
   * may be run again; giving `undefined` removes the key; giving the very value it was given writes nothing; throwing
   * rejects and changes nothing. With a ttl it starts anew; without one, the ttl that the key has runs on.
   */
  update(
    key: string,
    change: (old: Value | undefined) => Value | undefined,
    options?: UpdateOptions,
  ): Promise<Value | undefined>
  /** Must succeed when the key is absent. */
  delete(key: string): Promise<void>
  /**
   * Must give the live entries whose keys begin with the prefix, in the order of the code points of their keys (that of
   * their bytes in UTF-8): at most `limit`, and fewer only when there are no more. What is there all the while is in it;
   * what comes or goes meanwhile may be. Must find every key that begins with `listedKeys`, however it was written; others
   * need not be found, so that a store without an order of its own keeps an index of these alone.
   */
  list(prefix: string, options: ListOptions): Promise<readonly ListedEntry[]>
  /** Only for speed: as many `get`s at once, in the order of the keys. */
  getMany?(keys: readonly string[]): Promise<readonly (Value | undefined)[]>
  /** Only for speed: returns for each key whether it is live, without reading the values, in the order of the keys. */
  has?(keys: readonly string[]): Promise<readonly boolean[]>
  /**
   * Only for speed: appends to the list under the key without reading it back. Must do what `update` does with
   * `(old) => [...(old ?? []), ...items]`, in one step: an absent key becomes a list, the items of one call stay together
   * in their order, `get` gives the whole list, the ttl is that of `update`. Must reject and change nothing when what is
   * kept is no list.
   */
  add?(key: string, items: readonly Json[], options?: KeepOptions): Promise<void>
  /**
   * Only for speed: instead of asking again and again. Must call `changed` soon after each write to exactly this key that
   * begins once this has resolved, by any of those among whom `update` is one step; several writes may be told as one. It
   * may also be called when nothing was written; a store that lost touch with its backend must call it when it is in
   * touch again. That a value expired is not told. What was written has to be read.
   */
  watch?(key: string, changed: () => void): Promise<Stop>
  /**
   * Only for moving house: the live entries whose key begins so, a few at a time, in any order, each at least once. What
   * is written meanwhile may be missing. The copies belong to the reader.
   */
  scan?(beginning: string): AsyncIterable<readonly KeptEntry[]>
  /**
   * Only for health checks: must reject when what is written now would be lost, though writing it succeeds, as into a file
   * that was deleted. `reason` among the details of the error is a word or two for the operator.
   */
  check?(): Promise<void>
  /**
   * Returns a number that has changed since an earlier call if the store has connected to a server that may lack the last
   * writes of the one before: one that was promoted or restored, or restarted without having written everything to its disk.
   * Must change before a write to the new server resolves. A store without it counts as one that loses no acknowledged write.
   */
  generation?(): number
  /** Must let pending writes finish, and make every later call reject. Closing again does nothing. */
  close(): Promise<void>
}

/** Retention of a value. */
export interface KeepOptions {
  /** Milliseconds until the value is gone: it is there before, and gone at that moment. */
  readonly ttl?: number
  /** It may be removed early when space is short: its readers cope with that, and nothing else needs it. */
  readonly isSpare?: boolean
}

/** Options of an update. */
export interface UpdateOptions extends KeepOptions {
  /** Only for speed: the key is most likely absent, so a store may write before it reads. Then `change` throws for no absent key. */
  readonly isNew?: boolean
}

/** Range of a list. */
export interface ListOptions {
  /** At most so many entries, from 1 to 1000. */
  readonly limit: number
  /** Last key of the page before: entries begin behind this key, which need not be there any more. */
  readonly after?: string | undefined
  /** True to list from the last key to the first. */
  readonly isReverse?: boolean
}

/** Entry of `list`. The value belongs to the reader. */
export interface ListedEntry {
  readonly key: string
  readonly value: Value
}

/** Entry of `scan`. */
export interface KeptEntry extends ListedEntry {
  /** Milliseconds that are left of its life; absent when it stays. */
  readonly ttl?: number
}
