// Validates every model response against its schema, for all adapters. Callers never receive a value of the wrong shape.
import {
  type Answer,
  EngineError,
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
import { findMisfits, misfitsMessage, isSchemaFault, readJsonSchema } from '@harvestman/json-schema'
import { estimateTokens } from '@harvestman/toolbox/tokens'

/** Maximum number of retries for an invalid response. */
export const maxRepairs = 2

const maxQuoteLength = 4_000
const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/**
 * Wraps a model so that invalid responses are retried, twice at most, with a description of the problem; the usage is that of
 * all attempts. `ask` rejects with `model_failed` if the retries fail too, for an invalid schema in the question, and if the
 * adapter throws anything but an `EngineError`, which is passed on. Rejects with the signal's reason after an abort.
 */
export function checkedLLM(llm: LLM): LLM {
  return {
    ...(llm.name !== undefined && { name: llm.name }),
    ...(llm.contextTokens !== undefined && { contextTokens: llm.contextTokens }),
    ask: async (question, signal) => {
      checkSchemas(question)
      const complaints: Turn[] = []
      let usage = noUsage
      for (let attempt = 0; ; attempt += 1) {
        const current = attempt === 0 ? question : { ...question, turns: [...(question.turns ?? []), ...complaints] }
        const answer = complete(await askOnce(llm, current, signal), current)
        usage = sum(usage, answer.usage)
        const problem = problemOf(answer, question)
        if (problem === undefined) return { ...answer, usage }
        if (attempt >= maxRepairs) throw unfit(llm, problem)
        complaints.push(...complain(answer, problem))
      }
    },
  }
}

async function askOnce(llm: LLM, question: Question, signal: AbortSignal): Promise<unknown> {
  try {
    return await llm.ask(question, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (EngineError.is(cause)) throw cause
    const message = `${nameOf(llm)} failed. See the cause, which is the error of its adapter.`
    throw new EngineError('model_failed', message, { cause, details: { reason: 'bad_answer' } })
  }
}

function checkSchemas({ schema, tools = [] }: Question): void {
  const all: readonly [string, JsonSchema | undefined][] = [
    ['The schema of the answer', schema],
    ...tools.map(({ name, input }): [string, JsonSchema] => [`The input of the tool ${name}`, input]),
  ]
  for (const [subject, one] of all) {
    const read = one && readJsonSchema(one)
    if (!read || !isSchemaFault(read)) continue
    throw new EngineError('model_failed', `${subject} ${read.problem}.`, { details: { reason: 'bad_request' } })
  }
}

/** Fills in missing parts of an adapter's response: the value, tool calls and estimated token usage. */
function complete(given: unknown, question: Question): Answer {
  const { value, calls, usage } = (isRecord(given) ? given : {}) as Partial<Answer>
  const filled = value === undefined ? '' : value
  return {
    value: filled,
    calls: Array.isArray(calls) ? calls : [],
    usage: isUsage(usage) ? usage : guess(question, filled),
  }
}

function isUsage(usage: Usage | undefined): usage is Usage {
  return isRecord(usage) && Number.isFinite(usage.inputTokens) && Number.isFinite(usage.outputTokens)
}

function guess(question: Question, value: Json): Usage {
  return {
    inputTokens: estimateTokens(JSON.stringify(question)),
    outputTokens: estimateTokens(JSON.stringify(value)),
  }
}

function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}

/** Returns the problem with a response, as the rest of a sentence that starts with "your last message". */
function problemOf({ value, calls }: Answer, { schema, tools = [] }: Question): string | undefined {
  if (calls.length > 0) {
    for (const call of calls) {
      const problem = problemOfCall(call, tools)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  if (!schema) return undefined
  const misfits = findMisfits(value, schema)
  return misfits.length === 0 ? undefined : `gave an answer that does not fit the schema. ${misfitsMessage(misfits)}`
}

function problemOfCall(call: Partial<ToolCall>, tools: readonly Tool[]): string | undefined {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) {
    const known = tools.map(({ name }) => name).join(', ')
    return `called a tool that does not exist. The tools are: ${known || 'none'}.`
  }
  if (!isRecord(call.input)) return `called ${tool.name} with an input that is not a JSON object.`
  const misfits = findMisfits(call.input, tool.input)
  return misfits.length === 0
    ? undefined
    : `called ${tool.name} with an input that does not fit. ${misfitsMessage(misfits)}`
}

/**
 * Builds the turns for a retry: the response and its problem. Tool calls are sent as a string, because a real call would
 * require a result.
 */
function complain({ value, calls }: Answer, problem: string): readonly Turn[] {
  const reply =
    calls.length > 0 ? calls.map(({ name, input }) => `${name}(${JSON.stringify(input)})`).join('\n') : value
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply)
  return [
    { role: 'assistant', text: text.slice(0, maxQuoteLength) || '(nothing)' },
    {
      role: 'user',
      text: `That is no use: your last message ${problem} Answer again, with nothing but the corrected answer.`,
    },
  ]
}

function unfit(llm: LLM, problem: string): EngineError {
  return new EngineError('model_failed', `${nameOf(llm)} ${problem}`, { details: { reason: 'unfit' } })
}

function nameOf({ name }: LLM): string {
  return name === undefined ? 'The language model' : `The language model ${name}`
}
