import type { KeepOptions, Value } from '@harvestman/ports'

/**
 * Store of one plugin for one team. Other plugins and teams cannot access it. Entries expire after `keep.plugins`, or earlier
 * with a `ttl`. For requests with `zeroDataRetention` it is read-only: nothing is written.
 */
export interface PluginStore {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value, options?: KeepOptions): Promise<void>
  /** Reads, changes and writes in one atomic step. `change` must be pure, as it may run again. `undefined` deletes the key. */
  update(
    key: string,
    change: (old: Value | undefined) => Value | undefined,
    options?: KeepOptions,
  ): Promise<Value | undefined>
  delete(key: string): Promise<void>
}
