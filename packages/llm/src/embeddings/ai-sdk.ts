// Adapts embedding models of any AI SDK provider, through `doEmbed`, which all supported versions of its specification have.
import type { Embeddings } from '@harvestman/ports'

import { translated } from '../ai-sdk.ts'
import { embeddingModel, modelNotConfigured } from '../faults.ts'
import { embeddingsOf, type EmbeddingOptions } from './embed.ts'

/** The part of an AI SDK embedding model that is used. It is in specifications v2, v3 and v4. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string
  readonly modelId: string
  // The SDK's own types differ between versions, so neither the options nor the result are typed here.
  doEmbed(options: never): PromiseLike<unknown>
}

/**
 * Creates an embedding model from a model object of an AI SDK provider. Does not need the `ai` package itself. Set `batch` to
 * at most the number of strings that the provider allows in one request. Throws `not_configured` if the object has another
 * specification than v2, v3 or v4; AI SDK 5 and newer have these.
 */
export function aiSdkEmbeddings(model: AiSdkEmbeddingModel, options: EmbeddingOptions = {}): Embeddings {
  if (!/^v[234]$/.test(model.specificationVersion))
    throw modelNotConfigured(
      embeddingModel,
      'This object is not an embedding model of AI SDK 5 or newer. Pass one of its providers, or a function.',
    )
  return embeddingsOf(
    model.modelId,
    async (values, _purpose, abortSignal) => {
      try {
        // Cast: the three versions of the interface differ only in the types of the options.
        const result = await model.doEmbed({ values, abortSignal } as never)
        const { embeddings, usage } = Object(result) as Embedded
        return { vectors: embeddings, tokens: usage?.tokens }
      } catch (error) {
        abortSignal.throwIfAborted()
        throw translated(error, embeddingModel)
      }
    },
    options,
  )
}

interface Embedded {
  readonly embeddings?: unknown
  readonly usage?: { readonly tokens?: unknown }
}
