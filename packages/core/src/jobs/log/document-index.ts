import type { KeepOptions, Store } from '@harvestman/ports'
import { blockLength, blockWriter, firstAbove, readBlock } from '@harvestman/coordination'

/** Where in a log the documents are: for each place, how many there are up to its end. */
export interface DocumentIndex {
  /** How many documents there are. */
  readonly size: number
  /** The place that holds the document of this number, and the number of the first document there. */
  find(document: number): Promise<{ readonly place: number; readonly first: number } | undefined>
}

/** Of a job whose log is written here: all of it is in memory. */
export interface GrowingIndex extends DocumentIndex {
  /** For each place, the documents up to its end. */
  readonly ends: readonly number[]
  /** The next place was written, with so many documents. */
  add(documents: number): void
}

/** What stands of it in the checkpoint of a job: one number for each full block, and the block that is being filled. */
export interface KeptIndex {
  readonly blocks: readonly number[]
  readonly tail: readonly number[]
}

export function growingIndex(): GrowingIndex {
  const ends: number[] = []
  const size = (): number => ends.at(-1) ?? 0
  return {
    ends,
    get size() {
      return size()
    },
    find: async (document) => {
      if (document >= size()) return undefined
      const place = firstAbove(ends, document)
      return { place, first: ends[place - 1] ?? 0 }
    },
    add: (documents) => void ends.push(size() + documents),
  }
}

/** Writes the blocks of an index as they become full; each call gives what belongs into the checkpoint. */
export function indexWriter(
  { ends }: Pick<GrowingIndex, 'ends'>,
  store: Store,
  name: string,
  keep: () => KeepOptions,
): () => Promise<KeptIndex> {
  const keepBlocks = blockWriter(ends, { store, name: blocksOf(name), keep })
  return async () => {
    const { lasts, tail } = await keepBlocks()
    return { blocks: lasts, tail }
  }
}

/** Of a job whose log is written elsewhere: as its checkpoint tells. */
export function keptIndex(store: Store, name: string, { blocks, tail }: KeptIndex): DocumentIndex {
  const size = tail.at(-1) ?? blocks.at(-1) ?? 0
  return {
    size,
    find: async (document) => {
      if (document >= size) return undefined
      const block = firstAbove(blocks, document)
      const ends = block < blocks.length ? await readBlock(store, blocksOf(name), block) : tail
      if (!ends) return undefined
      const inside = firstAbove(ends, document)
      return { place: block * blockLength + inside, first: ends[inside - 1] ?? blocks[block - 1] ?? 0 }
    },
  }
}

function blocksOf(name: string): string {
  return `${name}/contents`
}
