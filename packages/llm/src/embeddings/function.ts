import type { EmbeddingPurpose, Embeddings } from '@harvestman/ports'

import { embeddingsOf, type EmbeddingOptions } from './embed.ts'

/** Options of `functionEmbeddings`. */
export interface FunctionEmbeddingOptions extends EmbeddingOptions {
  /** Name of the model. Change it when the vectors change, because stored vectors of another name are not used. */
  readonly name: string
}

/** Vectors of strings, in the same order. They need not have length 1. */
export type Vectors = readonly (readonly number[] | Float32Array)[]

/**
 * Creates an embedding model from your own function. `embed` rejects with the error of the function, with `model_failed` if the
 * vectors are not usable, or with `model_unavailable` after the timeout.
 */
export function functionEmbeddings(
  embed: (values: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal) => Vectors | Promise<Vectors>,
  options: FunctionEmbeddingOptions,
): Embeddings {
  return embeddingsOf(
    options.name,
    async (values, purpose, signal) => ({ vectors: await embed(values, purpose, signal) }),
    options,
  )
}
