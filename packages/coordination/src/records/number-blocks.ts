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

/** Stored form of a list of numbers that only grows. */
export interface NumberBlocks {
  /** The last number of each block that was written. */
  readonly lasts: readonly number[]
  /** The numbers after these. */
  readonly tail: readonly number[]
}

/** A list of numbers that only grows: full blocks of it are in the store, and the rest in memory. */
export interface GrowingNumbers extends NumberBlocks {
  readonly length: number
  /** The last number; nothing in an empty list. */
  readonly last: number | undefined
  add(number: number): void
  /** The list as it is now. */
  copy(): NumberBlocks
  /** Writes the blocks that have become full. One call at a time. */
  write(place: BlockPlace): Promise<void>
}

/** A list that goes on from what was kept of it. */
export function growingNumbers(kept: NumberBlocks = { lasts: [], tail: [] }): GrowingNumbers {
  const lasts = [...kept.lasts]
  const tail = [...kept.tail]
  return {
    lasts,
    tail,
    get length() {
      return lasts.length * blockLength + tail.length
    },
    get last() {
      return tail.at(-1) ?? lasts.at(-1)
    },
    add: (number) => void tail.push(number),
    copy: () => ({ lasts: [...lasts], tail: [...tail] }),
    write: async ({ store, name, keep }) => {
      while (tail.length >= blockLength) {
        const block = tail.slice(0, blockLength)
        await store.set(blockKey(name, lasts.length), block, keep())
        lasts.push(block.at(-1) ?? 0)
        tail.splice(0, blockLength)
      }
    },
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
