import type { ListedEntry, ListOptions, Store } from '@harvestman/ports'

const pageSize = 1_000

/** Lists all that is kept under the keys that begin so, a page at a time: whoever has found what they wanted reads no more. */
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
