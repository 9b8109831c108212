// Tools that a page declares to models (WebMCP). Their names, descriptions, schemas and results are the page's, and untrusted.
import { findMisfits, isSchemaFault, misfitsMessage, readJsonSchema } from '@harvestman/json-schema'
import { EngineError, isRecord, type Json, type LiveBrowser } from '@harvestman/ports'
import type { PolicyAction } from '@harvestman/core/plugin'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { z } from 'zod'

import { callDeclaredTool, listDeclaredTools } from '../page-scripts.ts'

const maxTools = 50
const maxSchemaLength = 20_000
const maxResultLength = 100_000
const maxInputLength = 100_000
const maxDepth = 60
/** Milliseconds that a page has to report that a tool was aborted. */
const graceTime = 1_000

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
  /**
   * Rejects with `policy_denied` if a policy forbids an action on the page in front. Resolves to the URL that the policies were
   * asked about, or to `undefined` without policies.
   */
  permit(action: PolicyAction, signal: AbortSignal): Promise<string | undefined>
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
 * Lists the tools of the page in front, at most 50. Omits tools without a valid name, and names those whose schema is no object,
 * has more than 20,000 characters, or has more than 60 levels. Whether it is a valid schema is only checked before a call, since
 * that takes time. Rejects with `action_failed` if the page navigates, or returns something else than tools.
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
    const reason = sizeProblem(inputSchema)
    if (reason !== undefined) return [{ omitted: { name: tool.name, reason } }]
    // Cast: the value was parsed from JSON, and is an object.
    return [{ tool: { ...tool, inputSchema: inputSchema as Record<string, Json> } }]
  })
}

function sizeProblem(schema: unknown): string | undefined {
  if (!isRecord(schema)) return 'Its input schema is not an object.'
  if (isDeeper(schema, maxDepth)) return `Its input schema has more than ${maxDepth} levels.`
  if (JSON.stringify(schema).length <= maxSchemaLength) return undefined
  return `Its input schema has more than ${maxSchemaLength} characters.`
}

/** Returns whether a JSON value has more levels. Deep values would exceed the stack where they are printed or compared. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/** A call of a tool. */
export interface PageToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, Json>>
  /** Milliseconds after which the page aborts the tool. A second later it has failed, whatever the page does. */
  readonly timeout: number
}

/**
 * Calls a tool of the page in front. A tool that fails is a result too, and so is one that does not end within its timeout. Rejects
 * with `invalid_request` if there is no such tool, its schema is invalid or the input does not fit it, `policy_denied` if a policy
 * forbids it, and with `action_failed` if the page returns something else than a result.
 */
export async function callPageTool(
  live: PageCaller & Permitting,
  call: PageToolCall,
  signal: AbortSignal,
): Promise<PageToolResult> {
  checkInput(call)
  const late = AbortSignal.timeout(call.timeout + graceTime)
  try {
    return await callWithin(live, call, AbortSignal.any([signal, late]))
  } catch (error) {
    if (EngineError.is(error) && error.details['reason'] === 'navigated') return { status: 'navigated', isCut: false }
    if (error !== late.reason) throw error
    return { status: 'failed', isCut: false, error: `The page did not respond within ${call.timeout} ms.` }
  }
}

function checkInput({ input }: PageToolCall): void {
  if (isDeeper(input, maxDepth))
    throw new EngineError('invalid_request', `input has more than ${maxDepth} levels. Pass a flatter value.`)
  const { length } = JSON.stringify(input)
  if (length > maxInputLength)
    throw new EngineError('invalid_request', `input has ${length} characters. The limit is ${maxInputLength}.`)
}

async function callWithin(
  live: PageCaller & Permitting,
  { name, input, timeout }: PageToolCall,
  signal: AbortSignal,
): Promise<PageToolResult> {
  const declared = await readDeclared(live, signal)
  const tool = declared.find((one) => one.tool?.name === name)?.tool
  if (!tool) throw unknownTool(name, declared)
  const schema = tool.inputSchema && readJsonSchema(tool.inputSchema)
  if (schema && isSchemaFault(schema)) throw uncallable(name, `Its input schema ${schema.problem}.`)
  const misfits = schema ? findMisfits(input, schema) : []
  if (misfits.length > 0)
    throw new EngineError('invalid_request', `input does not fit the schema of ${name}. ${misfitsMessage(misfits)}`)
  const url = await live.permit({ type: 'pageTool', name, input, isReadOnly: tool.isReadOnly }, signal)
  const limits = { timeout, maxCharacters: maxResultLength, ...(url !== undefined && { url }) }
  return readResult(await live.call(callDeclaredTool, [name, input, limits], signal))
}

function uncallable(name: string, reason: string): EngineError {
  return new EngineError('invalid_request', `The tool ${name} cannot be called. ${reason}`)
}

function unknownTool(name: string, declared: readonly Declared[]): EngineError {
  const { reason } = declared.find(({ omitted }) => omitted?.name === name)?.omitted ?? {}
  if (reason !== undefined) return uncallable(name, reason)
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
