/** Options for putting values together in batches. */
export interface BatchOptions {
  /** Most values of a batch. */
  readonly most: number
  /** Milliseconds after which the next batch does not wait for one that is under way. */
  readonly wait: number
  /** Returns whether a failed batch did nothing: then each value is tried alone, for one of them may be at fault. */
  readonly mayRepeat?: (error: unknown) => boolean
}

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Does what is asked for one by one in batches: what comes while a batch is under way is the next one. */
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
    // All that is asked for in this turn of the event loop goes together.
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

/** Waits for work that never rejects, and not for longer. */
async function atMost(work: Promise<void>, wait: number): Promise<void> {
  const enough = Promise.withResolvers<void>()
  const timer = setTimeout(enough.resolve, wait)
  await Promise.race([work, enough.promise])
  clearTimeout(timer)
}
