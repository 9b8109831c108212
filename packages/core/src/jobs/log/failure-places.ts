import type { KeepOptions, Store } from '@harvestman/ports'
import { blockWriter, readBlock } from '@harvestman/coordination'

/** What stands in the checkpoint of a job of the places in its log that hold something for the list of errors. */
export interface KeptFailures {
  /** How many full blocks of them are kept. */
  readonly blocks: number
  readonly tail: readonly number[]
}

export const noFailures: KeptFailures = { blocks: 0, tail: [] }

/** Writes the places in blocks as these become full; each call gives what belongs into the checkpoint. */
export function failureWriter(
  places: readonly number[],
  store: Store,
  name: string,
  keep: () => KeepOptions,
): () => Promise<KeptFailures> {
  const keepBlocks = blockWriter(places, { store, name: blocksOf(name), keep })
  return async () => {
    const { lasts, tail } = await keepBlocks()
    return { blocks: lasts.length, tail }
  }
}

/** The places, some at a time, of a job whose log is written elsewhere. */
export async function* keptFailures(
  store: Store,
  name: string,
  { blocks, tail }: KeptFailures,
): AsyncGenerator<readonly number[]> {
  for (let block = 0; block < blocks; block += 1) yield (await readBlock(store, blocksOf(name), block)) ?? []
  yield tail
}

function blocksOf(name: string): string {
  return `${name}/failures`
}
