import type { Answer, Json, LLM, Question, Usage } from '@harvestman/ports'

import { llmOf } from './ask.ts'
import type { Model, ModelReply, ModelRequest } from './model.ts'
import { shapeInWords } from './shape.ts'

/** What a function may give: a text, the value itself, or a whole answer. */
export type FunctionAnswer = string | Json | Partial<Answer>

/** Options of `functionLLM`. */
export interface FunctionOptions {
  readonly name?: string | undefined
  /** Tokens that a question and its answer may have together: 16,000. */
  readonly contextTokens?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** The longest that one question may take, in milliseconds: 180,000. */
  readonly timeout?: number | undefined
  /** How often an answer that is no use is asked for again: 2. */
  readonly repairs?: number | undefined
}

/**
 * A model that is a function of yours. It is given the question with the shape of its answer in words; what it gives is
 * read and checked as that of any model.
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
    send: async (request, signal) => replyOf(await untilAborted(answer(questionOf(request), signal), signal)),
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

/** An answer of the port says what was used or called; a value that happens to have such names does not have their kind. */
function isAnswer(given: FunctionAnswer): given is Partial<Answer> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const { calls, usage } = given as Partial<Answer>
  return Array.isArray(calls) || isUsage(usage)
}

function isUsage(usage: unknown): usage is Usage {
  return typeof usage === 'object' && usage !== null && 'inputTokens' in usage && 'outputTokens' in usage
}

/** A function may not heed the signal. */
function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
