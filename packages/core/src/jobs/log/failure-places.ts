import type { Store } from '@harvestman/ports'
import { readBlock } from '@harvestman/coordination'

/** Part of the checkpoint of a job: the places in its log that hold something for the list of errors. */
export interface KeptFailures {
  /** Number of full blocks that are kept. */
  readonly blocks: number
  readonly tail: readonly number[]
}

export const noFailures: KeptFailures = { blocks: 0, tail: [] }

/** The places, some at a time. */
export async function* keptFailures(
  store: Store,
  name: string,
  { blocks, tail }: KeptFailures,
): AsyncGenerator<readonly number[]> {
  for (let block = 0; block < blocks; block += 1) yield (await readBlock(store, failureBlocks(name), block)) ?? []
  yield tail
}

/** Prefix of the keys of their blocks. */
export function failureBlocks(name: string): string {
  return `${name}/failures`
}
