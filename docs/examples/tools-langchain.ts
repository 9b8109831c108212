// A LangChain model that reads the web with the tools of an engine in the same process.
import type { Engine } from '@harvestman/core'
import { createApi } from '@harvestman/http'
import { langchainTools } from '@harvestman/tools/langchain'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'

export async function ask(model: BaseChatModel, engine: Engine, question: string): Promise<string> {
  const tools = await langchainTools(DynamicStructuredTool, createApi(engine), { only: ['scrape', 'read', 'map'] })
  const messages: BaseMessage[] = [new HumanMessage(question)]
  for (let step = 0; step < 20; step += 1) {
    const reply = await model.bindTools?.(tools).invoke(messages)
    if (!reply?.tool_calls?.length) return reply?.text ?? ''
    messages.push(reply)
    for (const call of reply.tool_calls) {
      const result = await tools.find(({ name }) => name === call.name)?.invoke({ ...call, type: 'tool_call' })
      if (ToolMessage.isInstance(result)) messages.push(result)
    }
  }
  return 'There were too many steps.'
}
