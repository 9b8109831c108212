import type { KeepOptions, Store } from '@harvestman/ports'

/**
 * Numbers per block. The checkpoint of a job is written repeatedly, so a list in it must not grow with the job: full blocks are
 * stored as separate values, each written once.
 */
export const blockLength = 256

export interface BlockPlace {
  readonly store: Store
  /** Key prefix of the blocks. */
  readonly name: string
  readonly keep: () => KeepOptions
}

/** Stored form of an ascending list of numbers. */
export interface NumberBlocks {
  /** The last number of each stored block. */
  readonly lasts: readonly number[]
  /** The numbers after the stored blocks. */
  readonly tail: readonly number[]
}

/** An ascending list of numbers: full blocks are in the store, the rest in memory. */
export interface GrowingNumbers extends NumberBlocks {
  readonly length: number
  /** The last number; `undefined` if the list is empty. */
  readonly last: number | undefined
  add(number: number): void
  /** Returns the current list in its stored form. */
  copy(): NumberBlocks
  /** Writes the blocks that are full now. Calls must not overlap. */
  write(place: BlockPlace): Promise<void>
}

/**
 * Creates a list of ascending numbers that is stored in blocks, optionally from its stored form. `write` stores the
 * full blocks and rejects if the store fails.
 */
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

/** Reads a stored block. Returns `undefined` if it does not exist. Rejects if the store fails. */
export async function readBlock(store: Store, name: string, block: number): Promise<readonly number[] | undefined> {
  return (await store.get(blockKey(name, block))) as readonly number[] | undefined
}

/**
 * Returns the first index with a larger number, in an ascending list. Returns the length of the list if there is none.
 */
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
