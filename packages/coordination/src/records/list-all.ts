import type { ListedEntry, ListOptions, Store } from '@harvestman/ports'

const pageSize = 1_000

/**
 * Iterates over the entries with this key prefix in pages of at most `limit` entries (default 1,000), so that a caller can stop
 * reading early. Ends at once without records. Throws if the store fails.
 */
export async function* listAll(
  store: Store,
  prefix: string,
  options: Partial<ListOptions> = {},
): AsyncGenerator<readonly ListedEntry[]> {
  const limit = options.limit ?? pageSize
  let after = options.after
  for (;;) {
    const entries = await store.list(prefix, { ...options, limit, after })
    if (entries.length > 0) yield entries
    if (entries.length < limit) return
    after = entries.at(-1)?.key
  }
}
