import { fifo } from '@harvestman/ports/adapters'

/** What may go before its time when there is more of it than fits: what was written first goes first. */
export interface SpareKeys {
  /** It was written, with so many bytes. */
  keep(key: string, bytes: number): SpareKey
  /** It is gone, or may not go any more. */
  forget(spare: SpareKey): void
  /** Gives those that are to go, and forgets them. */
  excess(): readonly Forgotten[]
}

export interface Forgotten {
  readonly key: string
  readonly bytes: number
}

export interface SpareKey {
  readonly key: string
  /** None when it was forgotten. */
  bytes: number
}

/** Forgotten ones that may wait in line, beside as many as there are of the others. */
const mostForgotten = 1_000

export function spareKeys(most: number): SpareKeys {
  // In the order in which they were written. Forgotten ones stay in line: to look for each would cost more than all else.
  let line = fifo<SpareKey>()
  let forgotten = 0
  let total = 0
  const isFull = (): boolean => total > most
  const tidy = (): void => {
    if (forgotten < mostForgotten + line.size / 2) return
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
      const gone: Forgotten[] = []
      while (isFull()) {
        const first = line.shift()!
        if (first.bytes === 0) forgotten -= 1
        else gone.push({ ...first })
        total -= first.bytes
        first.bytes = 0
      }
      return gone
    },
  }
}
