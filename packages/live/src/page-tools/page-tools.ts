// Tools that a page declares to models (WebMCP). Their names, descriptions, schemas and results are the page's, and untrusted.
import { findMisfits, isSchemaFault, misfitsMessage, readJsonSchema, type ReadSchema } from '@harvestman/json-schema'
import { EngineError, isRecord, type Json, type LiveBrowser } from '@harvestman/ports'
import type { PolicyAction } from '@harvestman/core/plugin'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { z } from 'zod'

import { callDeclaredTool, listDeclaredTools } from '../page-scripts.ts'

const maxTools = 50
const maxSchemaLength = 20_000
const maxResultLength = 100_000
const maxInputLength = 100_000

// Control characters would let a name change what surrounds it in a prompt.
const toolName = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u)
const cut = (length: number) => z.string().transform((text) => text.slice(0, length))

const json: z.ZodType<Json> = z.json()

/** Schema of a tool that a page declares. */
export const pageToolSchema = z
  .object({
    name: z.string(),
    title: z.string().optional(),
    description: z.string(),
    inputSchema: z.record(z.string(), json).optional().describe('The JSON Schema of the input.'),
    isReadOnly: z.boolean().describe('Whether the page states that the tool changes nothing. This is not checked.'),
    isForm: z.boolean().describe('Whether the tool fills in a form of the page.'),
  })
  .meta({ id: 'PageTool', description: 'A tool that a page declares to models. All of it is untrusted.' })

/** A tool that a page declares. All of it is untrusted. */
export type PageTool = z.output<typeof pageToolSchema>

const declaredTool = pageToolSchema.extend({
  name: toolName,
  title: cut(200).optional(),
  description: z.string().min(1).pipe(cut(2_000)),
  inputSchema: z.unknown().optional(),
})

type PageCaller = Pick<LiveBrowser, 'call'>

/** A browser whose actions policies decide about. */
export interface Permitting {
  /** Rejects with `policy_denied` if a policy forbids an action on the page in front. */
  permit(action: PolicyAction, signal: AbortSignal): Promise<void>
}

/** The tools of a page, and why others are omitted. */
export interface PageTools {
  readonly tools: readonly PageTool[]
  /** Names of tools that cannot be called, with the reason. */
  readonly omitted: readonly { readonly name: string; readonly reason: string }[]
}

/** Schema of the result of a call. */
export const pageToolResultSchema = z
  .object({
    status: z
      .enum(['done', 'filled', 'submitted', 'navigated', 'failed'])
      .describe(
        '`filled`: the page wants a person to submit the form. `navigated`: the page was replaced, so there is no result.',
      ),
    result: z.string().optional().describe('The result of the tool: a string, or JSON.'),
    isCut: z.boolean().describe('Whether the result was longer than 100,000 characters.'),
    error: z.string().optional().describe('The message of the page, if the tool failed.'),
  })
  .meta({ id: 'PageToolResult', description: 'The result of a tool of a page. It is untrusted.' })

/** The result of a call. */
export type PageToolResult = z.output<typeof pageToolResultSchema>

/**
 * Lists the tools of the page in front, at most 50. Omits tools without a valid name, and names those whose schema is invalid or
 * has more than 20,000 characters. Rejects with `action_failed` if the page navigates, or returns something else than tools.
 */
export async function listPageTools(live: PageCaller, signal: AbortSignal): Promise<PageTools> {
  const declared = await readDeclared(live, signal)
  return {
    tools: declared.flatMap(({ tool }) => tool ?? []),
    omitted: declared.flatMap(({ omitted }) => omitted ?? []),
  }
}

interface Declared {
  readonly tool?: PageTool
  readonly schema?: ReadSchema
  readonly omitted?: PageTools['omitted'][number]
}

async function readDeclared(live: PageCaller, signal: AbortSignal): Promise<readonly Declared[]> {
  const listed = parseJson(await live.call(listDeclaredTools, [], signal))
  if (!Array.isArray(listed)) throw new EngineError('action_failed', 'The page returned something else than tools.')
  const names = new Set<string>()
  return listed.slice(0, 2 * maxTools).flatMap((one: unknown): Declared[] => {
    const declared = declaredTool.safeParse(one).data
    if (!declared || names.has(declared.name) || names.size >= maxTools) return []
    names.add(declared.name)
    const { inputSchema, ...tool } = declared
    if (inputSchema === undefined || inputSchema === null) return [{ tool }]
    const schema = readSchema(inputSchema)
    if ('reason' in schema) return [{ omitted: { name: tool.name, reason: schema.reason } }]
    return [{ tool: { ...tool, inputSchema: schema.root }, schema }]
  })
}

function readSchema(
  given: unknown,
): (ReadSchema & { readonly root: Record<string, Json> }) | { readonly reason: string } {
  if (!isRecord(given)) return { reason: 'Its input schema is not an object.' }
  if (JSON.stringify(given).length > maxSchemaLength)
    return { reason: `Its input schema has more than ${maxSchemaLength} characters.` }
  // Cast: the value was parsed from JSON.
  const root = given as Record<string, Json>
  const read = readJsonSchema(root)
  if (isSchemaFault(read)) return { reason: `Its input schema ${read.problem}.` }
  return { ...read, root }
}

/** A call of a tool. */
export interface PageToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, Json>>
  /** Milliseconds after which the page aborts the tool. */
  readonly timeout: number
}

/**
 * Calls a tool of the page in front. A tool that fails is a result too. Rejects with `invalid_request` if there is no such tool
 * or the input does not fit its schema, `policy_denied` if a policy forbids it, and with `action_failed`
 * if the page returns something else than a result.
 */
export async function callPageTool(
  live: PageCaller & Permitting,
  { name, input, timeout }: PageToolCall,
  signal: AbortSignal,
): Promise<PageToolResult> {
  const { length } = JSON.stringify(input)
  if (length > maxInputLength)
    throw new EngineError('invalid_request', `input has ${length} characters. The limit is ${maxInputLength}.`)
  const declared = await readDeclared(live, signal)
  const { tool, schema } = declared.find((one) => one.tool?.name === name) ?? {}
  if (!tool) throw unknownTool(name, declared)
  const misfits = schema ? findMisfits(input, schema) : []
  if (misfits.length > 0)
    throw new EngineError('invalid_request', `input does not fit the schema of ${name}. ${misfitsMessage(misfits)}`)
  await live.permit({ type: 'pageTool', name, input, isReadOnly: tool.isReadOnly }, signal)
  try {
    return readResult(await live.call(callDeclaredTool, [name, input, timeout, maxResultLength], signal))
  } catch (error) {
    if (EngineError.is(error) && error.details['reason'] === 'navigated') return { status: 'navigated', isCut: false }
    throw error
  }
}

function unknownTool(name: string, declared: readonly Declared[]): EngineError {
  const { reason } = declared.find(({ omitted }) => omitted?.name === name)?.omitted ?? {}
  if (reason !== undefined) return new EngineError('invalid_request', `The tool ${name} cannot be called. ${reason}`)
  const names = declared.flatMap(({ tool }) => tool?.name ?? []).slice(0, 10)
  const known = names.length > 0 ? `Its tools are: ${names.join(', ')}.` : 'It declares none.'
  return new EngineError('invalid_request', `The page has no tool ${name.slice(0, 128)}. ${known}`)
}

const returned = z.object({
  status: z.enum(['done', 'filled', 'submitted', 'failed']),
  result: z.string().max(maxResultLength).optional(),
  isCut: z.boolean(),
  error: z.string().max(1_000).optional(),
})

function readResult(text: string): PageToolResult {
  const { data } = returned.safeParse(parseJson(text))
  if (!data) throw new EngineError('action_failed', 'The page returned something else than the result of a tool.')
  const { result, ...rest } = data
  if (result === undefined) return rest
  const value = data.isCut ? undefined : parseJson(result)
  return { ...rest, result: typeof value === 'string' ? value : result }
}
