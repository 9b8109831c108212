import { EngineError } from '@harvestman/ports'

import { errorMessage } from '@harvestman/toolbox/error-message'
import { modelFailed, modelNotConfigured, modelUnavailable, type ModelKind } from '../faults.ts'
import { readRefusal } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import type { Backoff } from './backoff.ts'

export interface ExchangeOptions<Reply> {
  readonly endpoint: Endpoint
  /** URL of the endpoint that receives the messages. */
  readonly url: URL
  readonly kind: ModelKind
  readonly backoff: Backoff
  readonly silence: number
  /** Reads a response with status 200, and calls `onPiece` for each part of its body. */
  read(response: Response, onPiece: () => void): Promise<Reply>
}

/** A reply, or the body of the endpoint's rejection and the error to throw if no concession helps. */
export type Outcome<Reply> = { readonly reply: Reply } | { readonly refusal: string; readonly error: EngineError }

type Refusal = Exclude<Outcome<never>, { readonly reply: never }>

type Attempt<Reply> = Outcome<Reply> | { readonly again: EngineError; readonly after: number | undefined }

/**
 * Creates a function that sends a message, and retries within the backoff when the endpoint is busy or fails. It rejects with
 * `not_configured` for a wrong URL, key or model, `model_failed` for an unusable or too long message, `model_unavailable` if
 * there must not be another attempt, or the signal's reason. Other rejections by the endpoint resolve to `refusal`. `silence`
 * is in milliseconds.
 */
export function makeExchange<Reply>(options: ExchangeOptions<Reply>) {
  return async (body: object, signal: AbortSignal): Promise<Outcome<Reply>> => {
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

async function attemptOnce<Reply>(
  body: object,
  options: ExchangeOptions<Reply>,
  signal: AbortSignal,
): Promise<Attempt<Reply>> {
  const { endpoint, url, kind, silence, read } = options
  const { subject } = kind
  const watch = watchSilence(silence, subject)
  try {
    const response = await fetch(url, {
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
    if (response.ok) return { reply: await read(response, watch.heard) }
    return judgeStatus(response, endpoint.hide(await readRefusal(response, watch.heard)), {
      ...kind,
      subject: `${subject} at ${url.origin}`,
    })
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
      again: modelUnavailable('connection', `${subject} at ${url.origin} could not be reached.`, cause),
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

function watchSilence(ms: number, subject: string) {
  const controller = new AbortController()
  const stop = (): void =>
    controller.abort(modelUnavailable('silent', `${subject} sent nothing for ${ms / 1000} seconds.`))
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

/** Judges an error response. */
function judgeStatus(response: Response, text: string, kind: ModelKind): Attempt<never> {
  const model = kind.subject
  const { status } = response
  const cause = new Error(`Status ${status}: ${text.slice(0, 500)}`)
  if (status >= 300 && status < 400)
    throw modelNotConfigured(
      kind,
      `${model} redirects elsewhere, which is not followed. Set its base URL to where it leads.`,
      cause,
    )
  if (status === 401 || status === 403)
    throw modelNotConfigured(kind, `${model} does not accept the key. Check it.`, cause)
  if (status === 402 || /insufficient_quota|billing/i.test(text))
    throw modelUnavailable('quota', `${model} has no credit left on its account. Add credit to it.`, cause)
  if (isTooLong(text))
    throw modelFailed(
      'too_long',
      `The input is too long. ${model} rejected it. Set contextTokens to the context size of the model.`,
      cause,
    )
  if (status === 404 && !/response_format|tool/i.test(text))
    throw modelNotConfigured(kind, `${model} was not found. Check its base URL and the name of the model.`, cause)
  if (status < 500 && ![408, 409, 425, 429].includes(status))
    return refusal(text, `${model} rejected the request (status ${status}).`, cause)
  // Some servers fail on unsupported features instead of rejecting them.
  if (/response_format|json_schema|grammar|tool_choice|does not support tools/i.test(text))
    return refusal(text, `${model} rejected the request (status ${status}).`, cause)
  const isBusy = status === 429 || status === 503
  const sentence = isBusy ? `${model} is busy.` : `${model} failed with status ${status}.`
  return { again: modelUnavailable(isBusy ? 'busy' : 'server', sentence, cause), after: retryAfter(response.headers) }
}

function refusal(text: string, message: string, cause: Error): Refusal {
  return { refusal: text, error: modelFailed('bad_request', message, cause) }
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
