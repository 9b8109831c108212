// Adapts models of any AI SDK provider, through `doGenerate`, which all supported versions of its specification have.
import { EngineError, type LLM, type Tool, type Turn, type Usage } from '@harvestman/ports'

import { llmOf } from './ask.ts'
import { languageModel, modelFailed, modelNotConfigured, modelUnavailable, type ModelKind } from './faults.ts'
import type { FunctionOptions } from './function.ts'
import type { Model, ModelReply, ModelRequest } from './model.ts'
import { shapeInWords } from './shape.ts'

/** The part of an AI SDK language model that is used. It is in specifications v2, v3 and v4. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly modelId: string
  // The SDK's own types differ between versions, so neither the options nor the result are typed here.
  doGenerate(options: never): PromiseLike<unknown>
}

/**
 * Creates an LLM from a model object of an AI SDK provider. Does not need the `ai` package itself. Throws `not_configured` if
 * the model has another specification than v2, v3 or v4; AI SDK 5 and newer have these. Its `ask` rejects with `model_failed`,
 * `model_unavailable` or `not_configured`, or with the reason of the signal.
 */
export function aiSdkLLM(model: AiSdkModel, options: FunctionOptions = {}): LLM {
  if (!/^v[234]$/.test(model.specificationVersion))
    throw modelNotConfigured(
      languageModel,
      'This model object is none of the AI SDK 5 or newer. Give one of its providers, or a function.',
    )
  const { name = model.modelId, contextTokens = 16_000, maxOutputTokens = 4_096 } = options
  const { timeout = 180_000, repairs = 2 } = options
  const wrapped: Model = {
    name,
    contextTokens,
    maxOutputTokens,
    send: async (request, signal) => {
      try {
        // Cast: the three versions of the interface differ only in the types of the options.
        return replyOf(await model.doGenerate(callOptions(request, signal) as never))
      } catch (error) {
        signal.throwIfAborted()
        throw translated(error, languageModel)
      }
    },
  }
  return llmOf(wrapped, { repairs, timeout, budget: contextTokens * (repairs + 1) })
}

function callOptions(request: ModelRequest, signal: AbortSignal): object {
  const { schema, tools, temperature, maxOutputTokens } = request
  const system = [request.system, schema && shapeInWords(schema)].filter(Boolean).join('\n\n')
  const prompt = [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: [{ type: 'text', text: request.prompt }] },
    ...request.turns.map(message),
  ]
  return {
    prompt,
    temperature,
    maxOutputTokens,
    abortSignal: signal,
    ...(schema && tools.length === 0 && { responseFormat: { type: 'json', schema, name: 'answer' } }),
    ...(tools.length > 0 && { tools: tools.map(sdkTool), toolChoice: { type: 'auto' } }),
  }
}

function sdkTool({ name, description, input }: Tool): object {
  return { type: 'function', name, description, inputSchema: input }
}

function message(turn: Turn): object {
  if (turn.role === 'user') return { role: 'user', content: [{ type: 'text', text: turn.text }] }
  if (turn.role === 'tool') {
    const { id: toolCallId, name: toolName } = turn.call
    const output = { type: 'text', value: turn.result }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
  }
  const text = turn.text === '' ? [] : [{ type: 'text', text: turn.text }]
  const calls = (turn.calls ?? []).map(({ id, name, input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }))
  return { role: 'assistant', content: [...text, ...calls] }
}

interface Generated {
  readonly content?: readonly GeneratedPart[]
  readonly finishReason?: string | { readonly unified?: string }
  readonly usage?: { readonly inputTokens?: Count; readonly outputTokens?: Count }
}

type Count = number | { readonly total?: number | undefined } | undefined

interface GeneratedPart {
  readonly type?: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
}

function replyOf(result: unknown): ModelReply {
  const { content = [], finishReason, usage } = result as Generated
  const finish = typeof finishReason === 'string' ? finishReason : finishReason?.unified
  return {
    text: content.map(({ type, text = '' }) => (type === 'text' ? text : '')).join(''),
    calls: content
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolCallId = '', toolName = '', input }) => ({
        id: toolCallId,
        name: toolName,
        input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
      })),
    end: finish === 'content-filter' ? 'refused' : finish === 'length' ? 'cut' : 'done',
    usage: usageOf(usage),
  }
}

function usageOf(usage: Generated['usage']): Usage | undefined {
  const [inputTokens, outputTokens] = [usage?.inputTokens, usage?.outputTokens].map((count) =>
    typeof count === 'object' ? count.total : count,
  )
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

/** Converts a provider's error, with its HTTP status and retryable flag, to an `EngineError`. */
export function translated(error: unknown, kind: ModelKind): EngineError {
  if (EngineError.is(error)) return error
  const { subject } = kind
  const { statusCode, isRetryable } = (error ?? {}) as { readonly statusCode?: unknown; readonly isRetryable?: unknown }
  if (statusCode === 401 || statusCode === 403)
    return modelNotConfigured(kind, `${subject} does not accept the key of its provider. Check it.`, error)
  if (isRetryable === true || statusCode === undefined)
    return modelUnavailable('server', `${subject} could not be reached, or failed.`, error)
  return modelFailed('bad_request', `${subject} rejected the request.`, error)
}
