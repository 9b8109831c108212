import type { LLM } from '@harvestman/ports'

import { llmOf } from '../ask.ts'
import { languageModel, modelNotConfigured } from '../faults.ts'
import type { Model, ModelReply } from '../model.ts'
import { readAnswer } from './answer.ts'
import {
  dropRejectedFeature,
  firstDialect,
  nextStructure,
  structures,
  type Dialect,
  type Structure,
} from './dialect.ts'
import { endpointOf, type EndpointOptions } from './endpoint.ts'
import { makeExchange, type Outcome } from './exchange.ts'
import { findModel } from './models.ts'
import { makeBackoff, type BackoffOptions } from './backoff.ts'
import { replyFrom } from './reply.ts'
import { chatBody } from './request.ts'

/** Options of `chatLLM`. */
export interface ChatOptions extends EndpointOptions {
  /**
   * The base URL, such as `https://api.openai.com/v1` or `http://localhost:11434`. It is trusted, so it may be in a private
   * network.
   */
  readonly url: string | URL
  readonly key?: string | undefined
  /** The name of the model. Default: the only model of the endpoint. */
  readonly model?: string | undefined
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** First method to request structured output. If the endpoint rejects it, the next one is tried. */
  readonly structure?: Structure | undefined
  /** Context window in tokens, for prompt and output together. Default: 16,000. */
  readonly contextTokens?: number | undefined
  /** Maximum number of tokens to generate. Default: 4,096. */
  readonly maxOutputTokens?: number | undefined
  /** Timeout of one `ask` call, including retries and repairs, in milliseconds. Default: 180,000. */
  readonly timeout?: number | undefined
  /** Maximum time without data from the endpoint, in milliseconds. Default: 60,000. */
  readonly silence?: number | undefined
  /** Maximum number of further attempts after invalid output. Default: 2. */
  readonly repairs?: number | undefined
  /** Maximum number of retries when the endpoint is busy or fails. Default: 3. */
  readonly retries?: number | undefined
  /** Delay before the first retry, in milliseconds. Doubles with each retry. Default: 500. */
  readonly firstWait?: number | undefined
  /** Maximum number of concurrent requests. Default: 8. */
  readonly concurrency?: number | undefined
}

/**
 * Creates an LLM for any endpoint with the chat-completions API: hosted, Ollama, vLLM, LM Studio, OpenRouter. Throws
 * `not_configured` if an option is invalid.
 */
export function chatLLM(options: ChatOptions): LLM {
  const { contextTokens = 16_000, maxOutputTokens = 4_096, timeout = 180_000, repairs = 2 } = options
  if (options.structure !== undefined && !structures.includes(options.structure))
    throw modelNotConfigured(languageModel, `The structure of a language model is one of ${structures.join(', ')}.`)
  if (maxOutputTokens >= contextTokens)
    throw modelNotConfigured(
      languageModel,
      'The maxOutputTokens of a language model must be less than its contextTokens.',
    )
  const model = chatModel(options, contextTokens, maxOutputTokens)
  return llmOf(model, { repairs, timeout, budget: contextTokens * (repairs + 1) })
}

const defaultBackoff: BackoffOptions = { retries: 3, firstWait: 500, maxWait: 30_000, concurrency: 8 }

function chatModel(options: ChatOptions, contextTokens: number, maxOutputTokens: number): Model {
  const { silence = 60_000, retries = defaultBackoff.retries, firstWait = defaultBackoff.firstWait } = options
  const { concurrency = defaultBackoff.concurrency } = options
  const endpoint = endpointOf(options, languageModel)
  const backoff = makeBackoff({ ...defaultBackoff, retries, firstWait, concurrency })
  // Eight characters per token are enough for the longest tokens; event-stream framing adds much more around each.
  const limits = { characters: maxOutputTokens * 8 + 10_000, bytes: maxOutputTokens * 800 + 1_000_000 }
  const exchange = makeExchange({
    ...{ endpoint, url: endpoint.completions, kind: languageModel, backoff, silence },
    read: (response, onPiece) => readAnswer(response, limits, onPiece),
  })
  const nameOf = findModel(options.model, endpoint, silence)
  let dialect: Dialect = { ...firstDialect, ...(options.structure && { structure: options.structure }) }

  return {
    name: options.model ?? 'of the endpoint',
    contextTokens,
    maxOutputTokens,
    send: async (request, signal) => {
      const name = await nameOf(signal)
      const features = { shape: request.schema !== undefined, tools: request.tools.length > 0 }
      let outcome: Outcome<ModelReply>
      // Each iteration removes a feature from the dialect, so the loop ends.
      for (let mine = dialect; ;) {
        const { body, isWrapped } = chatBody(name, request, mine)
        outcome = await exchange(body, signal)
        if ('reply' in outcome) {
          if (mine !== dialect) dialect = mine
          return replyFrom(outcome.reply, request, mine, isWrapped)
        }
        const next = dropRejectedFeature(mine, outcome.refusal, features)
        if (!next) throw outcome.error
        mine = next
      }
    },
    sawNoJson: () => {
      dialect = nextStructure(dialect) ?? dialect
    },
  }
}
