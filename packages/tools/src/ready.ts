// Tools in a framework-independent form: a name, a description, a JSON Schema and a function.
import { z } from 'zod'

import { slimSchema } from './slim-schema.ts'
import type { DescribedTool, Tool } from './tool.ts'
import { callTool, failed, toolsOf, type ToolResult, type ToolSetName } from './toolset.ts'
import { askThrough, thisProcess, webApi, type Ask, type ClientOfServer } from './web-api.ts'

/** The server of the tools: a client of `@harvestman/client`, or the handler that `createApi` of `@harvestman/http` returns. */
export type ToolSource = Ask | ClientOfServer

/** Options of the tools. */
export interface ToolOptions {
  /** Sets of tools: `web` loads pages, `retrieval` searches scraped ones. Default: `web`. */
  readonly sets?: readonly ToolSetName[] | undefined
  /** Names of the tools for the model. Default: all. Fewer tools leave more context for pages. */
  readonly only?: readonly string[] | undefined
  /** False removes screenshots, for models that cannot read images. */
  readonly images?: boolean | undefined
  /** API key, if the engine in this process requires one. A client has its own. */
  readonly key?: string | undefined
  /** Folder whose files the tool `parse` may read. Default: none. */
  readonly filesIn?: string | undefined
}

/** A tool that can be called. */
export interface ReadyTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly schema: Readonly<Record<string, unknown>>
  run(input: unknown, signal: AbortSignal | undefined): Promise<ToolResult>
}

/** Timeout of a call in milliseconds, longer than any tool waits by itself. */
const longest = 600_000

/**
 * Returns the tools of a server, including tools for its job kinds. Rejects if `only` has an unknown name. Running a tool does
 * not reject for invalid input or a failed call: the result is then an error for the model. It rejects if the signal is aborted.
 */
export async function readyTools(source: ToolSource, options: ToolOptions = {}): Promise<readonly ReadyTool[]> {
  const { key } = options
  const ask = typeof source === 'function' ? source : askThrough(source)
  const api = webApi({ ask, url: thisProcess, authorization: key === undefined ? undefined : `Bearer ${key}` })
  const tools = await toolsOf(api, options.sets)
  const run = async (tool: Tool | DescribedTool, input: unknown, signal: AbortSignal | undefined) => {
    const late = AbortSignal.timeout(longest)
    const read = inputOf(tool, input)
    if (typeof read === 'string') return failed(read)
    const result = await callTool(tool, read, {
      api,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      filesIn: options.filesIn,
      progress: () => undefined,
    })
    signal?.throwIfAborted()
    return options.images === false ? withoutImages(result) : result
  }
  return chosen(tools, options.only).map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: schemaOf(tool),
    run: (input, signal) => run(tool, input, signal),
  }))
}

function chosen<One extends { readonly name: string }>(
  tools: readonly One[],
  only: ToolOptions['only'],
): readonly One[] {
  if (!only) return tools
  const missing = only.filter((name) => !tools.some((tool) => tool.name === name))
  if (missing.length === 0) return tools.filter(({ name }) => only.includes(name))
  throw new Error(
    `There is no tool ${missing.join(', ')}. Name some of these: ${tools.map(({ name }) => name).join(', ')}.`,
  )
}

/** Returns the JSON Schema of the input, without `$schema`, which some models reject. */
export function schemaOf(tool: Tool | DescribedTool): ReadyTool['schema'] {
  if (!('input' in tool)) return tool.described
  return slimSchema(z.toJSONSchema(tool.input, { io: 'input', target: 'draft-7' }))
}

/** Returns the validated input, or an error message. Inputs of job kinds are validated by the server. */
function inputOf(tool: Tool | DescribedTool, input: unknown): Record<string, unknown> | string {
  const schema = 'input' in tool ? tool.input : z.record(z.string(), z.unknown())
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const problems = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return `The input of ${tool.name} is wrong. ${problems.join('. ')}. Call it again with that corrected.`
}

function withoutImages({ text, images, ...result }: ToolResult): ToolResult {
  const note = images.length > 0 ? '\n\n(A screenshot was taken, but images are turned off here.)' : ''
  return { ...result, text: text + note, images: [] }
}
