import type { LLM } from '@harvestman/ports'

import { llmOf } from '../ask.ts'
import { misconfigured } from '../faults.ts'
import type { Model } from '../model.ts'
import { concede, firstDialect, nextStructure, structures, type Dialect, type Structure } from './dialect.ts'
import { endpointOf, type EndpointOptions } from './endpoint.ts'
import { makeExchange, type Outcome } from './exchange.ts'
import { findModel } from './models.ts'
import { makeBackoff, type BackoffOptions } from './backoff.ts'
import { replyFrom } from './reply.ts'
import { chatBody } from './request.ts'

/** Options of `chatLLM`. */
export interface ChatOptions extends EndpointOptions {
  /** The base URL, as `https://api.openai.com/v1` or `http://localhost:11434`. It is trusted as it stands. */
  readonly url: string | URL
  readonly key?: string | undefined
  /** The name of the model. The only one of the endpoint when absent. */
  readonly model?: string | undefined
  /** Sent with every request, beside the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How the endpoint is first asked for a shape; it is asked in the next way when it refuses. */
  readonly structure?: Structure | undefined
  /** Tokens that a question and its answer may have together: 16,000. */
  readonly contextTokens?: number | undefined
  /** The longest answer, in tokens: 4,096. */
  readonly maxOutputTokens?: number | undefined
  /** The longest that one question may take, retries and repairs included, in milliseconds: 180,000. */
  readonly timeout?: number | undefined
  /** The longest silence of the endpoint, in milliseconds: 60,000. */
  readonly silence?: number | undefined
  /** How often an answer that is no use is asked for again: 2. */
  readonly repairs?: number | undefined
  /** How often a message is sent again when the endpoint is busy or broken: 3. */
  readonly retries?: number | undefined
  /** The wait before the first of them, in milliseconds: 500. It doubles each time. */
  readonly firstWait?: number | undefined
  /** Messages that may be under way at once: 8. */
  readonly concurrency?: number | undefined
}

/** A model behind any endpoint that speaks chat-completions: hosted, Ollama, vLLM, LM Studio, OpenRouter. */
export function chatLLM(options: ChatOptions): LLM {
  const { contextTokens = 16_000, maxOutputTokens = 4_096, timeout = 180_000, repairs = 2 } = options
  if (options.structure !== undefined && !structures.includes(options.structure))
    throw misconfigured(`The structure of a language model is one of ${structures.join(', ')}.`)
  if (maxOutputTokens >= contextTokens)
    throw misconfigured('The maxOutputTokens of a language model must be less than its contextTokens.')
  const model = chatModel(options, contextTokens, maxOutputTokens)
  return llmOf(model, { repairs, timeout, budget: contextTokens * (repairs + 1) })
}

const usualBackoff: BackoffOptions = { retries: 3, firstWait: 500, longestWait: 30_000, concurrency: 8 }

function chatModel(options: ChatOptions, contextTokens: number, maxOutputTokens: number): Model {
  const { silence = 60_000, retries = usualBackoff.retries, firstWait = usualBackoff.firstWait } = options
  const { concurrency = usualBackoff.concurrency } = options
  const endpoint = endpointOf(options)
  const backoff = makeBackoff({ ...usualBackoff, retries, firstWait, concurrency })
  // Eight bytes a token leave room for the longest; the frames of a stream take more around each.
  const limits = { characters: maxOutputTokens * 8 + 10_000, bytes: maxOutputTokens * 800 + 1_000_000 }
  const exchange = makeExchange({ endpoint, backoff, silence, limits })
  const nameOf = findModel(options.model, endpoint, silence)
  let dialect: Dialect = { ...firstDialect, ...(options.structure && { structure: options.structure }) }

  return {
    name: options.model ?? 'of the endpoint',
    contextTokens,
    maxOutputTokens,
    send: async (request, signal) => {
      const name = await nameOf(signal)
      const asked = { shape: request.schema !== undefined, tools: request.tools.length > 0 }
      let outcome: Outcome
      // Each concession takes something away, so there is an end to them.
      for (let mine = dialect; ;) {
        const { body, isWrapped } = chatBody(name, request, mine)
        outcome = await exchange(body, signal)
        if ('reply' in outcome) {
          if (mine !== dialect) dialect = mine
          return replyFrom(outcome.reply, request, mine, isWrapped)
        }
        const next = concede(mine, outcome.refusal, asked)
        if (!next) throw outcome.error
        mine = next
      }
    },
    sawNoJson: () => {
      dialect = nextStructure(dialect) ?? dialect
    },
  }
}
