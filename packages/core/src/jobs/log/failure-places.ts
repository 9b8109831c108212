import type { Store } from '@harvestman/ports'
import { readBlock } from '@harvestman/coordination'

/** Positions of the segments with entries for the list of errors, as stored in the checkpoint. */
export interface KeptFailures {
  /** Number of full blocks in the store. */
  readonly blocks: number
  readonly tail: readonly number[]
}

export const noFailures: KeptFailures = { blocks: 0, tail: [] }

/** Yields the positions of the segments with errors, in batches. A block that is missing in the store gives an empty batch. */
export async function* keptFailures(
  store: Store,
  name: string,
  { blocks, tail }: KeptFailures,
): AsyncGenerator<readonly number[]> {
  for (let block = 0; block < blocks; block += 1) yield (await readBlock(store, failureBlocks(name), block)) ?? []
  yield tail
}

/** Returns the prefix of the store keys of the blocks with the positions of a job's errors. */
export function failureBlocks(name: string): string {
  return `${name}/failures`
}
