import type { Embeddings } from '@harvestman/ports'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { makeBackoff } from '../chat/backoff.ts'
import { readWhole } from '../chat/answer.ts'
import { endpointOf, type EndpointOptions } from '../chat/endpoint.ts'
import { makeExchange } from '../chat/exchange.ts'
import { embeddingModel, modelFailed, modelNotConfigured } from '../faults.ts'
import { checkEmbeddingOptions, embeddingsOf, type EmbeddingOptions, type RawVectors } from './embed.ts'

/** Options of `endpointEmbeddings`. */
export interface EndpointEmbeddingOptions extends EndpointOptions, EmbeddingOptions {
  /** The base URL, such as `https://api.openai.com/v1`. It is trusted, so it may be in a private network. */
  readonly url: string | URL
  readonly key?: string | undefined
  /** The name of the model. */
  readonly model: string
  /** Number of dimensions to request, from models with a choice. */
  readonly dimensions?: number | undefined
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Maximum time without data from the endpoint, in milliseconds. Default: 60,000. */
  readonly silence?: number | undefined
  /** Maximum number of retries when the endpoint is busy or fails. Default: 3. */
  readonly retries?: number | undefined
  /** Delay before the first retry, in milliseconds. Doubles with each retry. Default: 500. */
  readonly firstWait?: number | undefined
}

// A number takes up to 25 bytes, and models have up to 8,192 dimensions.
const bytesPerVector = 8_192 * 25

/**
 * Creates an embedding model for any endpoint with the embeddings API of OpenAI: hosted, Ollama, vLLM, LM Studio, Text
 * Embeddings Inference. Throws `not_configured` if an option is invalid.
 */
export function endpointEmbeddings(options: EndpointEmbeddingOptions): Embeddings {
  const { model, dimensions, silence = 60_000, retries = 3, firstWait = 500 } = options
  if (model === '') throw modelNotConfigured(embeddingModel, 'The name of the embedding model is empty. Set `model`.')
  const { batch, concurrency } = checkEmbeddingOptions(options)
  const endpoint = endpointOf(options, embeddingModel)
  const maxBytes = batch * bytesPerVector + 1_000_000
  const exchange = makeExchange<RawVectors>({
    ...{ endpoint, url: endpoint.embeddings, kind: embeddingModel, silence },
    backoff: makeBackoff({ retries, firstWait, maxWait: 30_000, concurrency }),
    read: async (response, onPiece) => readVectors(await readWhole(response, maxBytes, onPiece)),
  })
  const name = dimensions === undefined ? model : `${model} (${dimensions})`
  const send = async (input: readonly string[], signal: AbortSignal): Promise<RawVectors> => {
    const outcome = await exchange({ model, input, ...(dimensions !== undefined && { dimensions }) }, signal)
    if ('reply' in outcome) return outcome.reply
    throw outcome.error
  }
  return embeddingsOf(name, (values, _purpose, signal) => send(values, signal), options)
}

/** Returns the vectors of a response in the order of the input. */
function readVectors(text: string): RawVectors {
  const body = Object(parseJson(text))
  const data: unknown = Reflect.get(body, 'data')
  if (!Array.isArray(data))
    throw modelFailed('bad_answer', 'The embedding model did not return `data`. Check the base URL of its endpoint.')
  const tokens: unknown = Reflect.get(Object(Reflect.get(body, 'usage')), 'prompt_tokens')
  const vectors: unknown[] = []
  for (const [position, item] of data.entries()) {
    const index: unknown = Reflect.get(Object(item), 'index')
    vectors[isIndex(index, data.length) ? index : position] = Reflect.get(Object(item), 'embedding')
  }
  return { vectors, tokens }
}

function isIndex(value: unknown, end: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < end
}
