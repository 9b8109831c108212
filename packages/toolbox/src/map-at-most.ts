import { makeSemaphore } from './semaphore.ts'

/**
 * Calls `work` for each item in order, for at most `limit` at a time. Resolves to the results in the order of the items. Rejects
 * with the first error; no further item is started then.
 */
export function mapAtMost<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const permits = makeSemaphore({ limit })
  return Promise.all(
    items.map(async (item) => {
      const release = await permits.acquire('', never)
      try {
        return await work(item)
      } catch (error) {
        permits.clear(error)
        throw error
      } finally {
        release()
      }
    }),
  )
}

const never = new AbortController().signal
