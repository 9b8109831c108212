import { EngineError, type Embeddings, type LLM } from '@harvestman/ports'

import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'

/**
 * Returns the language model of a configuration, or `undefined` without one. Rejects with `not_configured` if one of its settings
 * is invalid.
 */
export async function llmOf(config: Config): Promise<LLM | undefined> {
  const endpoint = endpointOf(config)
  if (!endpoint) return undefined
  const { chatLLM } = await import('@harvestman/llm')
  const { llmModel: model, llmContext: contextTokens } = config
  // The output may take at most a quarter of the context.
  const maxOutputTokens = Math.min(4_096, Math.floor(contextTokens / 4))
  return chatLLM({ ...endpoint, model, contextTokens, maxOutputTokens })
}

/**
 * Returns the embedding model of a configuration, or `undefined` without one. Rejects with `not_configured` if it has a name and
 * no endpoint, an endpoint and no name, or a key and no endpoint of its own.
 */
export async function embeddingsOf(config: Config): Promise<Embeddings | undefined> {
  const { embeddingModel: model, embeddingUrl: url, embeddingKey: key } = config
  // A key is only sent to the endpoint that it was set for, so it needs one.
  if (url === undefined && key !== undefined)
    throw incomplete(
      `embeddingKey has no endpoint. Set ${environmentNames.embeddingUrl[0]}, or remove ${environmentNames.embeddingKey[0]} to use the endpoint of the language model.`,
    )
  const endpoint = url === undefined ? endpointOf(config) : { url, ...(key !== undefined && { key }) }
  if (model === undefined) {
    if (url === undefined) return undefined
    throw incomplete(`embeddingUrl has no model. Set ${environmentNames.embeddingModel[0]}.`)
  }
  if (!endpoint) throw incomplete(`embeddingModel has no endpoint. Set ${environmentNames.embeddingUrl[0]}.`)
  const { endpointEmbeddings } = await import('@harvestman/llm')
  return endpointEmbeddings({ ...endpoint, model })
}

function incomplete(message: string): EngineError {
  return new EngineError('not_configured', message)
}

/**
 * Returns the endpoint of the language model: `llmUrl`, else `ollamaUrl`, else OpenAI if there is only a key. A key is only
 * sent to the endpoint that it was set for. Returns `undefined` without one.
 */
export function endpointOf({
  llmUrl,
  llmKey,
  ollamaUrl,
}: Config): { readonly url: string; readonly key?: string } | undefined {
  if (llmUrl !== undefined) return { url: llmUrl, ...(llmKey !== undefined && { key: llmKey }) }
  if (ollamaUrl !== undefined) return { url: ollamaUrl }
  return llmKey === undefined ? undefined : { url: 'https://api.openai.com/v1', key: llmKey }
}
