// Tools for LangChain. Its tool class is passed in, because two copies of LangChain in one app do not recognize each other's
// tools.
import { readyTools, type ToolOptions, type ToolSource } from './ready.ts'
import type { ToolResult } from './toolset.ts'

export type { ToolOptions, ToolSource } from './ready.ts'
export type { ToolSetName } from './toolset.ts'
export type { Ask, ClientOfServer } from './web-api.ts'

/** Result of a tool, as LangChain sends it to a model: text, or text and screenshots. */
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

/**
 * Returns the tools of a server or an engine, for LangChain agents and models. Rejects if an option names an unknown tool. A
 * failed call returns its error as text for the model.
 */
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
