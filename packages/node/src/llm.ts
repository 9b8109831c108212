import type { LLM } from '@harvestman/ports'

import type { Config } from './config.ts'

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
