import { oldestKeys } from '@harvestman/ports/adapters'

/** What may go before its time when there is more of it than fits: what was written first goes first. */
export interface SpareKeys {
  /** It was written, with so many bytes. Gives those that are to go. */
  keep(key: string, bytes: number): readonly Forgotten[]
  /** It is gone, or may not go any more. */
  forget(key: string): void
}

export interface Forgotten {
  readonly key: string
  readonly bytes: number
}

export function spareKeys(most: number): SpareKeys {
  // In the order in which they were written.
  const sizes = new Map<string, number>()
  const oldest = oldestKeys(sizes)
  let total = 0
  const isFull = (): boolean => total > most
  const forget = (key: string): void => {
    total -= sizes.get(key) ?? 0
    sizes.delete(key)
  }
  return {
    forget,
    keep: (key, bytes) => {
      forget(key)
      sizes.set(key, bytes)
      total += bytes
      const gone: Forgotten[] = []
      while (isFull()) {
        const first = oldest()!
        gone.push({ key: first, bytes: sizes.get(first)! })
        forget(first)
      }
      return gone
    },
  }
}
