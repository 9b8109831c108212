/** Options for grouping values into batches. */
export interface BatchOptions {
  /** Maximum number of values in a batch. */
  readonly most: number
  /** Milliseconds after which the next batch starts although the previous one is still running. */
  readonly wait: number
  /**
   * Returns whether a failed batch had no effect. If so, each value is retried on its own, because one of them may have caused
   * the failure.
   */
  readonly mayRepeat?: (error: unknown) => boolean
}

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that groups single calls into batches: values that arrive while a batch is running form the next
 * one. A call settles with its batch, or alone if `mayRepeat` allows the values of a failed batch to be tried alone. A
 * batch has at most `most` values. After `wait` milliseconds the next batch starts even if the last one has not ended.
 */
export function inBatches<Item>(
  work: (items: readonly Item[]) => Promise<unknown>,
  { most, wait, mayRepeat = () => false }: BatchOptions,
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = []
  let isWorking = false

  const settle = async (batch: readonly Waiting<Item>[]): Promise<void> => {
    try {
      await work(batch.map(({ item }) => item))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      if (batch.length > 1 && mayRepeat(error)) await Promise.all(batch.map((one) => settle([one])))
      else for (const { reject } of batch) reject(error)
    }
  }
  const workAll = async (): Promise<void> => {
    // Groups all calls of this turn of the event loop.
    await Promise.resolve()
    while (waiting.length > 0) await atMost(settle(waiting.splice(0, most)), wait)
    isWorking = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isWorking) return
      isWorking = true
      void workAll()
    })
}

/** Waits for work that never rejects, but no longer than `wait` milliseconds. */
async function atMost(work: Promise<void>, wait: number): Promise<void> {
  const enough = Promise.withResolvers<void>()
  const timer = setTimeout(enough.resolve, wait)
  await Promise.race([work, enough.promise])
  clearTimeout(timer)
}
