import type { KeepOptions, Value } from '@harvestman/ports'

/**
 * The corner of the store that belongs to one plugin and one team: no other plugin sees it, and no other team. What is
 * kept there is gone after `keep.plugins`, or earlier with a ttl. On behalf of a request with `zeroDataRetention` what
 * is there can be read, and nothing is written.
 */
export interface PluginStore {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value, options?: KeepOptions): Promise<void>
  /** Reads, changes and writes in one step. `change` is pure and may be run again; giving `undefined` removes the key. */
  update(
    key: string,
    change: (old: Value | undefined) => Value | undefined,
    options?: KeepOptions,
  ): Promise<Value | undefined>
  delete(key: string): Promise<void>
}
