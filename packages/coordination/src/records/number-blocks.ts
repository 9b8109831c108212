import type { KeepOptions, Store } from '@harvestman/ports'

/**
 * The numbers of a block. The checkpoint of a job is written again and again, so a list in it must not grow with the job:
 * what is full of it stands in values of its own, each of which is written once.
 */
export const blockLength = 256

export interface BlockPlace {
  readonly store: Store
  /** The keys of the blocks begin so. */
  readonly name: string
  readonly keep: () => KeepOptions
}

export interface NumberBlocks {
  /** The last number of each full block. */
  readonly lasts: readonly number[]
  /** The numbers that fill no block yet. */
  readonly tail: readonly number[]
}

/** Writes the blocks of a list that only grows as they become full; each call says what there is. */
export function blockWriter(
  numbers: readonly number[],
  { store, name, keep }: BlockPlace,
): () => Promise<NumberBlocks> {
  const lasts: number[] = []
  return async () => {
    const full = Math.floor(numbers.length / blockLength)
    for (let block = lasts.length; block < full; block += 1) {
      const kept = numbers.slice(block * blockLength, (block + 1) * blockLength)
      await store.set(blockKey(name, block), kept, keep())
      lasts.push(kept.at(-1) ?? 0)
    }
    return { lasts: [...lasts], tail: numbers.slice(full * blockLength) }
  }
}

/** Reads a block that was written. */
export async function readBlock(store: Store, name: string, block: number): Promise<readonly number[] | undefined> {
  return (await store.get(blockKey(name, block))) as readonly number[] | undefined
}

/** The first index whose number is larger, in a list that only grows. */
export function firstAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}

function blockKey(name: string, block: number): string {
  return `${name}/${block}`
}
