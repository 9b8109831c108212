import type { LLM } from '@harvestman/ports'

import type { Config } from './config.ts'

/** The language model of a configuration; nothing when there is none. */
export async function llmOf(config: Config): Promise<LLM | undefined> {
  const endpoint = endpointOf(config)
  if (!endpoint) return undefined
  const { chatLLM } = await import('@harvestman/llm')
  const { llmModel: model, llmContext: contextTokens } = config
  // An answer takes a quarter of the room at most.
  const maxOutputTokens = Math.min(4_096, Math.floor(contextTokens / 4))
  return chatLLM({ ...endpoint, model, contextTokens, maxOutputTokens })
}

/** Where the language model is. A key is only ever sent to the endpoint that it was set for. */
export function endpointOf({
  llmUrl,
  llmKey,
  ollamaUrl,
}: Config): { readonly url: string; readonly key?: string } | undefined {
  if (llmUrl !== undefined) return { url: llmUrl, ...(llmKey !== undefined && { key: llmKey }) }
  if (ollamaUrl !== undefined) return { url: ollamaUrl }
  return llmKey === undefined ? undefined : { url: 'https://api.openai.com/v1', key: llmKey }
}
