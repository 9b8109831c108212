// The tools as frameworks take them: a name, a description, a JSON Schema and a function.
import { z } from 'zod'

import { slimSchema } from './slim-schema.ts'
import type { DescribedTool, Tool } from './tool.ts'
import { callTool, failed, toolsOf, type ToolResult } from './toolset.ts'
import { askThrough, thisProcess, webApi, type Ask, type ClientOfServer } from './web-api.ts'

/** The server that tools use: a client of `@harvestman/client`, or what `createApi` of `@harvestman/http` made of an engine. */
export type ToolSource = Ask | ClientOfServer

/** Options of the tools. */
export interface ToolOptions {
  /** The names of the tools that a model gets; all when absent. Fewer leave a model more room for pages. */
  readonly only?: readonly string[] | undefined
  /** False leaves screenshots out, for models that cannot read images. */
  readonly images?: boolean | undefined
  /** The API key, where the engine in this process wants one. A client has its own. */
  readonly key?: string | undefined
  /** The folder whose files the tool `parse` may read by their path; none when absent. */
  readonly filesIn?: string | undefined
}

/** A tool that is ready to be called. */
export interface ReadyTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>
  run(input: unknown, signal: AbortSignal | undefined): Promise<ToolResult>
}

/** Longer than any tool waits by itself. */
const longest = 600_000

/** The tools of a server, those of its job kinds included. */
export async function readyTools(source: ToolSource, options: ToolOptions = {}): Promise<readonly ReadyTool[]> {
  const { key } = options
  const ask = typeof source === 'function' ? source : askThrough(source)
  const api = webApi({ ask, url: thisProcess, authorization: key === undefined ? undefined : `Bearer ${key}` })
  const tools = await toolsOf(api)
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

/** The schema of the input. It names no dialect: some models refuse that. */
export function schemaOf(tool: Tool | DescribedTool): ReadyTool['schema'] {
  if (!('input' in tool)) return tool.described
  return slimSchema(z.toJSONSchema(tool.input, { io: 'input', target: 'draft-7' }))
}

/** The input as the tool takes it, or what is wrong with it. The server checks the input of a job kind. */
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
