// A model of the AI SDK that reads the web with the tools of a server.
import { createClient } from '@harvestman/client'
import { aiTools } from '@harvestman/tools/ai-sdk'
import { generateText, stepCountIs, type LanguageModel } from 'ai'

export async function ask(model: LanguageModel, server: string, prompt: string): Promise<string> {
  const tools = await aiTools(createClient({ url: server }))
  const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(20) })
  return text
}
