// Tools of LangChain. They are made of its own class, which is passed in: two copies of LangChain in a program do not know each
// other's tools, and here there is none.
import { readyTools, type ToolOptions, type ToolSource } from './ready.ts'
import type { ToolResult } from './toolset.ts'

export type { ToolOptions, ToolSource } from './ready.ts'
export type { Ask, ClientOfServer } from './web-api.ts'

/** The result of a tool, as LangChain sends it to a model: text, or text and screenshots. */
export type ToolContent =
  | string
  | ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[]

/** The class `DynamicStructuredTool` of `@langchain/core/tools`. */
export type ToolClass<Made> = new (fields: {
  name: string
  description: string
  schema: Record<string, unknown>
  func(input: unknown, manager: unknown, config?: { readonly signal?: AbortSignal | undefined }): Promise<ToolContent>
}) => Made

/** The tools of a server or an engine for agents and models of LangChain. */
export async function langchainTools<Made>(
  Tool: ToolClass<Made>,
  source: ToolSource,
  options?: ToolOptions,
): Promise<Made[]> {
  const tools = await readyTools(source, options)
  return tools.map(({ name, description, schema, run }) => {
    const func = async (input: unknown, _manager: unknown, config?: { readonly signal?: AbortSignal | undefined }) =>
      contentOf(await run(input, config?.signal))
    return new Tool({ name, description, schema: { ...schema }, func })
  })
}

function contentOf({ text, images }: ToolResult): ToolContent {
  if (images.length === 0) return text
  const pictures = images.map(({ data, mimeType }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${data}` },
  }))
  return [{ type: 'text', text }, ...pictures]
}
