import type { EmbeddingPurpose, Embeddings } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { embeddingsOf, type EmbeddingOptions } from './embed.ts'

/** Options of `functionEmbeddings`. */
export interface FunctionEmbeddingOptions extends EmbeddingOptions {
  /** Name of the model. Change it when the vectors change, because stored vectors of another name are not used. */
  readonly name: string
}

/** Vectors of texts, in the same order. They need not have length 1. */
export type Vectors = readonly (readonly number[] | Float32Array)[]

/**
 * Creates an embedding model from your own function. `embed` rejects with the error of the function, with `model_failed` if the
 * vectors are not usable, or with `model_unavailable` after the timeout.
 */
export function functionEmbeddings(
  embed: (texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal) => Vectors | Promise<Vectors>,
  options: FunctionEmbeddingOptions,
): Embeddings {
  return embeddingsOf(
    options.name,
    async (texts, purpose, signal) => ({
      vectors: await untilAborted(Promise.resolve(embed(texts, purpose, signal)), signal),
    }),
    options,
  )
}
