import type { Answer, Json, LLM, Question, Usage } from '@harvestman/ports'

import { llmOf } from './ask.ts'
import type { Model, ModelReply, ModelRequest } from './model.ts'
import { shapeInWords } from './shape.ts'

/** Return value of the function: a string, the value itself, or an `Answer` with tool calls or usage. */
export type FunctionAnswer = string | Json | Partial<Answer>

/** Options of `functionLLM`. */
export interface FunctionOptions {
  readonly name?: string | undefined
  /** Context window in tokens, for prompt and output together. Default: 16,000. */
  readonly contextTokens?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** Timeout of one `ask` call, in milliseconds. Default: 180,000. */
  readonly timeout?: number | undefined
  /** Maximum number of further attempts after invalid output. Default: 2. */
  readonly repairs?: number | undefined
}

/**
 * Creates an LLM from your own function. The function receives the prompt, with the schema described in the system prompt. Its
 * result is parsed and validated like the output of any model. `ask` rejects with the error of the function, with
 * `model_failed`, or with `model_unavailable` after the timeout (default 180,000 milliseconds).
 */
export function functionLLM(
  answer: (question: Question, signal: AbortSignal) => FunctionAnswer | Promise<FunctionAnswer>,
  options: FunctionOptions = {},
): LLM {
  const { name = 'function', contextTokens = 16_000, maxOutputTokens = 4_096 } = options
  const { timeout = 180_000, repairs = 2 } = options
  const model: Model = {
    name,
    contextTokens,
    maxOutputTokens,
    send: async (request, signal) => replyOf(await answer(questionOf(request), signal)),
  }
  return llmOf(model, { repairs, timeout, budget: contextTokens * (repairs + 1) })
}

function questionOf({ system, schema, ...request }: ModelRequest): Question {
  const words = [system, schema && shapeInWords(schema)].filter(Boolean).join('\n\n')
  return { ...request, ...(words !== '' && { system: words }), ...(schema && { schema }) }
}

function replyOf(given: FunctionAnswer): ModelReply {
  if (typeof given === 'string') return { text: given, calls: [], end: 'done', usage: undefined }
  if (!isAnswer(given)) return { text: JSON.stringify(given), calls: [], end: 'done', usage: undefined }
  const { value = '', calls = [], usage } = given
  return {
    text: typeof value === 'string' ? value : JSON.stringify(value),
    calls: calls.map(({ id, name, input }) => ({ id, name, input: JSON.stringify(input) })),
    end: 'done',
    usage,
  }
}

/** Returns whether the value is an `Answer`, by the types of `calls` and `usage`: a plain value may have these names too. */
function isAnswer(given: FunctionAnswer): given is Partial<Answer> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const { calls, usage } = given as Partial<Answer>
  return Array.isArray(calls) || isUsage(usage)
}

function isUsage(usage: unknown): usage is Usage {
  return typeof usage === 'object' && usage !== null && 'inputTokens' in usage && 'outputTokens' in usage
}
