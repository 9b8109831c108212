import { fifo } from '@harvestman/toolbox/fifo'

/** Keys of values that may be removed early if they exceed the size limit, oldest first. */
export interface SpareKeys {
  /** Adds a value of this many bytes that was written. */
  keep(key: string, bytes: number): SpareKey
  /** Removes a value that was deleted or must not be removed early any more. */
  forget(spare: SpareKey): void
  /** Returns the values to remove, and forgets them. */
  excess(): readonly Forgotten[]
}

export interface Forgotten {
  readonly key: string
  readonly bytes: number
}

export interface SpareKey {
  readonly key: string
  /** 0 when it was forgotten. */
  bytes: number
}

/** Maximum number of forgotten entries in the queue, in addition to half of its size. */
const maxForgotten = 1_000

/**
 * Creates the list of values that may be removed early, of at most `most` bytes in total. It only keeps the account:
 * the caller removes the values that `excess` returns.
 */
export function spareKeys(most: number): SpareKeys {
  // In the order of writing. Forgotten entries stay in the queue at first: removing each at once would be the largest cost.
  let line = fifo<SpareKey>()
  let forgotten = 0
  let total = 0
  const isFull = (): boolean => total > most
  const tidy = (): void => {
    if (forgotten < maxForgotten + line.size / 2) return
    const before = line
    line = fifo()
    forgotten = 0
    for (let spare = before.shift(); spare; spare = before.shift()) if (spare.bytes > 0) line.push(spare)
  }
  return {
    keep: (key, bytes) => {
      const spare = { key, bytes }
      line.push(spare)
      total += bytes
      return spare
    },
    forget: (spare) => {
      if (spare.bytes === 0) return
      total -= spare.bytes
      spare.bytes = 0
      forgotten += 1
      tidy()
    },
    excess: () => {
      const evicted: Forgotten[] = []
      while (isFull()) {
        const first = line.shift()!
        if (first.bytes === 0) forgotten -= 1
        else evicted.push({ ...first })
        total -= first.bytes
        first.bytes = 0
      }
      return evicted
    },
  }
}
