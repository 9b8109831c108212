import type { Store } from '@harvestman/ports'
import { blockLength, firstAbove, type NumberBlocks, readBlock } from '@harvestman/coordination'

/** Finds documents in a log by their number. */
export interface DocumentIndex {
  /** Number of documents. */
  readonly size: number
  /** Number of segments up to the last one in the index. */
  readonly segments: number
  /** Returns the position of the segment with this document, and the number of the first document in that segment. */
  find(document: number): Promise<{ readonly place: number; readonly first: number } | undefined>
}

/** The index as stored in the checkpoint: the last number of each full block, and the numbers of the block being filled. */
export interface KeptIndex {
  readonly blocks: readonly number[]
  readonly tail: readonly number[]
}

/**
 * Creates the index of a job, which finds the segment of a document; `undefined` beyond the last, or if a block of the index
 * is missing. `ends` has the number of documents up to the end of each segment, and may still grow. Its calls reject if the
 * store fails.
 */
export function documentIndex(store: Store, name: string, ends: NumberBlocks): DocumentIndex {
  const size = (): number => ends.tail.at(-1) ?? ends.lasts.at(-1) ?? 0
  return {
    get size() {
      return size()
    },
    get segments() {
      return ends.lasts.length * blockLength + ends.tail.length
    },
    find: async (document) => {
      if (document >= size()) return undefined
      const { lasts, tail } = ends
      const block = firstAbove(lasts, document)
      const start = lasts[block - 1] ?? 0
      const inBlock = block < lasts.length ? await readBlock(store, indexBlocks(name), block) : tail
      if (!inBlock) return undefined
      const inside = firstAbove(inBlock, document)
      return { place: block * blockLength + inside, first: inBlock[inside - 1] ?? start }
    },
  }
}

/** Returns the prefix of the store keys of a job's index blocks. */
export function indexBlocks(name: string): string {
  return `${name}/contents`
}
