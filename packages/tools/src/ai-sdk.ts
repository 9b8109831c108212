// Tools for the AI SDK. Its tools are plain objects, so the SDK is not imported.
import type { Image } from './answer.ts'
import { readyTools, type ReadyTool, type ToolOptions, type ToolSource } from './ready.ts'
import type { ToolResult } from './toolset.ts'

export type { Image } from './answer.ts'
export type { ToolOptions, ToolSource } from './ready.ts'
export type { ToolResult, ToolSetName } from './toolset.ts'
export type { Ask, ClientOfServer } from './web-api.ts'

type JsonSchema = Record<string, unknown>

/** A tool in the form of the AI SDK. */
export interface AiTool {
  readonly description: string
  /** Schema in the form of Standard JSON Schema. */
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1
      readonly vendor: string
      readonly validate: (value: unknown) => { readonly value: unknown }
      readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema }
    }
  }
  readonly execute: (input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<ToolResult>
  readonly toModelOutput: (result: { readonly output: ToolResult }) => ModelOutput
}

/** Result of a tool, as the AI SDK sends it to a model. */
export type ModelOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: ({ type: 'text'; text: string } | ModelFile)[] }

/** A screenshot, as the AI SDK sends it to a model. */
export interface ModelFile {
  type: 'file'
  mediaType: string
  data: { type: 'data'; data: string }
}

/**
 * Returns the tools of a server or an engine by name, for `generateText`, `streamText` and agents of the AI SDK. Rejects if an
 * option names an unknown tool.
 */
export async function aiTools(source: ToolSource, options?: ToolOptions): Promise<Record<string, AiTool>> {
  const tools = await readyTools(source, options)
  return Object.fromEntries(tools.map((tool) => [tool.name, aiTool(tool)]))
}

function aiTool({ description, schema, run }: ReadyTool): AiTool {
  const tell = (): JsonSchema => ({ ...schema })
  return {
    description,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'harvestman',
        // The tool itself reports invalid input, with a message that the model can act on.
        validate: (value) => ({ value }),
        jsonSchema: { input: tell, output: tell },
      },
    },
    execute: (input, { abortSignal }) => run(input, abortSignal),
    toModelOutput: ({ output }) => modelOutput(output),
  }
}

function modelOutput({ text, images, isError }: ToolResult): ModelOutput {
  if (isError) return { type: 'error-text', value: text }
  if (images.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...images.map(fileOf)] }
}

function fileOf({ data, mimeType }: Image): ModelFile {
  return { type: 'file', mediaType: mimeType, data: { type: 'data', data } }
}
