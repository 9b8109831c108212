// Sends a prompt to a model, then parses and validates the output. If the output is invalid, sends it back with a description
// of the problem and tries again.
import {
  type Answer,
  type Json,
  type JsonSchema,
  type LLM,
  type Question,
  type Tool,
  type ToolCall,
  type Turn,
  type Usage,
  isRecord,
} from '@harvestman/ports'
import { estimateTokens } from '@harvestman/toolbox/tokens'
import { findMisfits, isSchemaFault, readJsonSchema, misfitsMessage, type ReadSchema } from '@harvestman/json-schema'

import { withDeadline } from './deadline.ts'
import { languageModel, modelFailed, type Reason } from './faults.ts'
import { coerceToSchema } from './coerce.ts'
import type { Model, ModelReply, ModelRequest, RawCall } from './model.ts'
import { readJson } from './read-json.ts'

export interface AskOptions {
  /** Maximum number of further attempts after invalid output. */
  readonly repairs: number
  /** Maximum number of tokens for one `ask` call, including all repairs. */
  readonly budget: number
  /** Timeout of one `ask` call, in milliseconds. */
  readonly timeout: number
}

/** Why the output is invalid: a code for the caller, and a description for the model. */
interface Complaint {
  readonly reason: Reason
  readonly problem: string
}

interface Reading {
  readonly schema: ReadSchema | undefined
  readonly tools: ReadonlyMap<string, ReadSchema>
}

const maxQuoteLength = 4_000
const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/**
 * Creates an LLM port from a model. Its `ask` rejects with `model_failed` for an unusable answer, `model_unavailable` after the
 * timeout, the reason of the signal, and with the errors of the model itself, unchanged.
 */
export function llmOf(model: Model, options: AskOptions): LLM {
  return {
    name: model.name,
    contextTokens: model.contextTokens,
    ask: (question, signal) =>
      withDeadline({ signal, ms: options.timeout, kind: languageModel }, (both) => ask(question, model, options, both)),
  }
}

async function ask(question: Question, model: Model, options: AskOptions, signal: AbortSignal): Promise<Answer> {
  const reading = read(question)
  const first = requestOf(question, model)
  const complaints: Turn[] = []
  let usage = noUsage
  for (let attempt = 0; ; attempt += 1) {
    const request = { ...first, turns: [...first.turns, ...complaints] }
    mustFit(request, usage, model, options)
    const reply = await model.send(request, signal)
    usage = add(usage, reply.usage ?? guess(request, reply))
    const judged = judge(reply, question, reading)
    if ('calls' in judged) return { ...judged, usage }
    if (judged.reason === 'not_json' && first.tools.length === 0) model.sawNoJson?.()
    if (attempt >= options.repairs || judged.reason === 'refused' || judged.reason === 'cut')
      throw modelFailed(judged.reason, `The language model ${model.name} ${judged.problem}`)
    complaints.push(...complain(reply, judged))
  }
}

function read({ schema, tools = [] }: Question): Reading {
  return {
    schema: schema && readOrThrow(schema, 'The schema'),
    tools: new Map(tools.map(({ name, input }) => [name, readOrThrow(input, `The input of the tool ${name}`)])),
  }
}

function readOrThrow(schema: JsonSchema, subject: string): ReadSchema {
  const read = readJsonSchema(schema)
  if (isSchemaFault(read)) throw modelFailed('bad_request', `${subject} ${read.problem}.`)
  return read
}

function requestOf(question: Question, model: Model): ModelRequest {
  const { system = '', prompt, turns = [], tools = [], schema, temperature = 0, maxOutputTokens } = question
  return {
    system,
    prompt,
    turns,
    tools,
    schema,
    temperature,
    maxOutputTokens: Math.min(maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
  }
}

function mustFit(request: ModelRequest, used: Usage, model: Model, { budget }: AskOptions): void {
  const input = inputTokens(request)
  if (input + request.maxOutputTokens > model.contextTokens) {
    const room = `${model.contextTokens} tokens, ${request.maxOutputTokens} of them for the answer`
    throw modelFailed(
      'too_long',
      `The question has about ${input} tokens; the model has room for ${room}. Ask less at once.`,
    )
  }
  if (used.inputTokens + used.outputTokens + input > budget)
    throw modelFailed('budget', `The question used its maximum of ${budget} tokens without a usable answer.`)
}

function inputTokens({ system, prompt, turns, tools, schema }: ModelRequest): number {
  return estimateTokens(
    [
      system,
      prompt,
      JSON.stringify(turns),
      tools.length > 0 ? JSON.stringify(tools) : '',
      JSON.stringify(schema ?? ''),
    ].join('\n'),
  )
}

function guess(request: ModelRequest, { text, calls }: ModelReply): Usage {
  return {
    inputTokens: inputTokens(request),
    outputTokens: estimateTokens(text + calls.map(({ input }) => input).join('')),
  }
}

function add(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}

function judge(reply: ModelReply, question: Question, reading: Reading): Omit<Answer, 'usage'> | Complaint {
  if (reply.end === 'refused') return { reason: 'refused', problem: 'refused to answer.' }
  const { tools = [] } = question
  // Ignore tool calls if no tools were offered.
  if (reply.calls.length > 0 && tools.length > 0) return judgeCalls(reply, tools, reading)
  const text = reply.text.trim()
  if (reading.schema === undefined) {
    if (reply.end === 'cut') return cut
    return text === '' ? { reason: 'empty', problem: 'answered nothing.' } : { value: reply.text, calls: [] }
  }
  const wasCut = reply.end === 'cut'
  const found = readJson(text, wasCut)
  if (!found) {
    if (wasCut) return cut
    return text === ''
      ? { reason: 'empty', problem: 'answered nothing.' }
      : { reason: 'not_json', problem: 'returned something that is not JSON.' }
  }
  const value = coerceToSchema(found.value, reading.schema.root)
  const misfits = findMisfits(value, reading.schema)
  if (misfits.length === 0) return { value, calls: [] }
  return { reason: 'unfit', problem: `gave an answer that does not fit the schema. ${misfitsMessage(misfits)}` }
}

const cut: Complaint = {
  reason: 'cut',
  problem: 'stopped before its answer was complete. Request less, or raise maxOutputTokens.',
}

function judgeCalls(reply: ModelReply, tools: readonly Tool[], reading: Reading): Omit<Answer, 'usage'> | Complaint {
  const calls: ToolCall[] = []
  for (const [index, raw] of reply.calls.entries()) {
    const judged = judgeCall(raw, index, tools, reading, reply.end === 'cut')
    if ('problem' in judged) return judged
    calls.push(judged)
  }
  return { value: reply.text, calls }
}

function judgeCall(
  { id, name, input }: RawCall,
  index: number,
  tools: readonly Tool[],
  reading: Reading,
  wasCut: boolean,
): ToolCall | Complaint {
  const schema = reading.tools.get(name)
  if (!schema) {
    const known = tools.map((tool) => tool.name).join(', ')
    return { reason: 'unknown_tool', problem: `called a tool that does not exist. The tools are: ${known || 'none'}.` }
  }
  const found = input.trim() === '' ? { value: {} } : readJson(input, wasCut)
  const value: Json | undefined = found && coerceToSchema(found.value, schema.root)
  if (!isRecord(value))
    return { reason: 'not_json', problem: `called ${name} with an input that is not a JSON object.` }
  const misfits = findMisfits(value, schema)
  if (misfits.length > 0)
    return { reason: 'unfit', problem: `called ${name} with an input that does not fit. ${misfitsMessage(misfits)}` }
  return { id: id || `call-${index}`, name, input: value }
}

/**
 * Returns the invalid output and the problem as turns. Tool calls are quoted in a string, because endpoints require a result
 * for every real call.
 */
function complain({ text, calls }: ModelReply, { problem }: Complaint): readonly Turn[] {
  const reply = [text, ...calls.map(({ name, input }) => `${name}(${input})`)].filter(Boolean).join('\n')
  return [
    { role: 'assistant', text: reply.slice(0, maxQuoteLength) || '(nothing)' },
    {
      role: 'user',
      text: `That is no use: your last message ${problem} Answer again, with nothing but the corrected answer.`,
    },
  ]
}
