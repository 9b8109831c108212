import { EngineError } from '@harvestman/ports'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { modelFailed, modelNotConfigured, modelUnavailable } from '../faults.ts'
import type { ModelReply } from '../model.ts'
import { readAnswer, readRefusal, type AnswerLimits } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import type { Backoff } from './backoff.ts'

export interface ExchangeOptions {
  readonly endpoint: Endpoint
  readonly backoff: Backoff
  readonly silence: number
  readonly limits: AnswerLimits
}

/** A reply, or the body of the endpoint's rejection and the error to throw if no concession helps. */
export type Outcome = { readonly reply: ModelReply } | { readonly refusal: string; readonly error: EngineError }

type Attempt = Outcome | { readonly again: EngineError; readonly after: number | undefined }

/**
 * Creates a function that sends a message, and retries within the backoff when the endpoint is busy or fails. It rejects with
 * `not_configured` for a wrong URL, key or model, `model_failed` for an unusable or too long message, `model_unavailable` if
 * there must not be another attempt, or the signal's reason. Other rejections by the endpoint resolve to `refusal`. `silence`
 * is in milliseconds.
 */
export function makeExchange(options: ExchangeOptions) {
  return async (body: object, signal: AbortSignal): Promise<Outcome> => {
    const { backoff } = options
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await backoff.inTurn(signal, () => attemptOnce(body, options, signal))
      if (!('again' in outcome)) {
        backoff.worked()
        return outcome
      }
      if (!(await backoff.waitToRetry(attempt, outcome.after, signal))) throw outcome.again
    }
  }
}

async function attemptOnce(body: object, options: ExchangeOptions, signal: AbortSignal): Promise<Attempt> {
  const { endpoint, silence, limits } = options
  const watch = watchSilence(silence)
  try {
    const response = await fetch(endpoint.completions, {
      method: 'POST',
      headers: {
        ...endpoint.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
      // Only this origin is trusted by the operator, so redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.any([signal, watch.signal]),
    })
    watch.heard()
    if (response.ok) return { reply: await readAnswer(response, limits, watch.heard) }
    return judgeStatus(response, endpoint.hide(await readRefusal(response, watch.heard)), endpoint)
  } catch (error) {
    signal.throwIfAborted()
    const known = watch.signal.aborted ? watch.signal.reason : error
    if (EngineError.is(known)) {
      if (known.code === 'model_unavailable' && known.details['reason'] !== 'quota')
        return { again: known, after: undefined }
      throw known
    }
    const cause = new Error(endpoint.hide(messageOf(error)))
    return {
      again: modelUnavailable(
        'connection',
        `The language model at ${endpoint.completions.origin} could not be reached.`,
        cause,
      ),
      after: undefined,
    }
  } finally {
    watch.stop()
  }
}

/** Returns the error's message with that of its cause, where `fetch` puts the actual reason. */
function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return errorMessage(error) + cause
}

function watchSilence(ms: number) {
  const controller = new AbortController()
  const stop = (): void =>
    controller.abort(modelUnavailable('silent', `The language model sent nothing for ${ms / 1000} seconds.`))
  let timer = setTimeout(stop, ms)
  return {
    signal: controller.signal,
    heard: (): void => {
      clearTimeout(timer)
      timer = setTimeout(stop, ms)
    },
    stop: (): void => clearTimeout(timer),
  }
}

function judgeStatus(response: Response, text: string, endpoint: Endpoint): Attempt {
  const { status } = response
  const cause = new Error(`Status ${status}: ${text.slice(0, 500)}`)
  const where = endpoint.completions.origin
  if (status >= 300 && status < 400)
    throw modelNotConfigured(
      `The language model at ${where} redirects elsewhere, which is not followed. Set its base URL to where it leads.`,
      cause,
    )
  if (status === 401 || status === 403)
    throw modelNotConfigured(`The language model at ${where} does not accept the key. Check it.`, cause)
  if (status === 402 || /insufficient_quota|billing/i.test(text))
    throw modelUnavailable(
      'quota',
      `The account at ${where} has no credit left for language models. Add credit to it.`,
      cause,
    )
  if (isTooLong(text))
    throw modelFailed(
      'too_long',
      'The question is too long for the language model. Set contextTokens to the context size of the model.',
      cause,
    )
  if (status === 404 && !/response_format|tool/i.test(text))
    throw modelNotConfigured(
      `The language model at ${where} was not found. Check its base URL and the name of the model.`,
      cause,
    )
  if (status < 500 && ![408, 409, 425, 429].includes(status)) return refusal(text, status, cause)
  // Some servers fail on unsupported features instead of rejecting them.
  if (/response_format|json_schema|grammar|tool_choice|does not support tools/i.test(text))
    return refusal(text, status, cause)
  const isBusy = status === 429 || status === 503
  const sentence = isBusy
    ? `The language model at ${where} is busy.`
    : `The language model at ${where} failed with status ${status}.`
  return { again: modelUnavailable(isBusy ? 'busy' : 'server', sentence, cause), after: retryAfter(response.headers) }
}

function refusal(text: string, status: number, cause: Error): Outcome {
  const error = modelFailed('bad_request', `The language model rejected the question (status ${status}).`, cause)
  return { refusal: text, error }
}

function isTooLong(text: string): boolean {
  return /context_length_exceeded|context length|context window|prompt is too long|too many tokens|exceeds? the (?:available )?context/i.test(
    text,
  )
}

function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
