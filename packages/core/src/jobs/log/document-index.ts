import type { Store } from '@harvestman/ports'
import { blockLength, firstAbove, type NumberBlocks, readBlock } from '@harvestman/coordination'

/** Index of the documents in a log: for each place, the number of documents up to its end. */
export interface DocumentIndex {
  /** Number of documents. */
  readonly size: number
  /** The place that holds the document of this number, and the number of the first document there. */
  find(document: number): Promise<{ readonly place: number; readonly first: number } | undefined>
}

/** Part of the index in the checkpoint of a job: one number for each full block, and the block that is being filled. */
export interface KeptIndex {
  readonly blocks: readonly number[]
  readonly tail: readonly number[]
}

/** The index of a job, by the documents up to the end of each place; these may still grow. */
export function documentIndex(store: Store, name: string, ends: NumberBlocks): DocumentIndex {
  const size = (): number => ends.tail.at(-1) ?? ends.lasts.at(-1) ?? 0
  return {
    get size() {
      return size()
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

/** Prefix of the keys of its blocks. */
export function indexBlocks(name: string): string {
  return `${name}/contents`
}
