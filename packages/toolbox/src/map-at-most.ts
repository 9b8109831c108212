/**
 * Calls `work` for each item in order, for at most `limit` at a time. Resolves to the results in the order of the items. Rejects
 * with the first error; no further item is started then.
 */
export async function mapAtMost<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  let hasFailed = false
  const runSome = async (): Promise<void> => {
    for (const [index, item] of left) {
      try {
        results[index] = await work(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
      if (hasFailed) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runSome))
  return results
}
