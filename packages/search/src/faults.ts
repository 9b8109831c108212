import { EngineError } from '@harvestman/ports'

/** Why a search failed. Available to callers as `details.reason`. */
export type Reason = 'busy' | 'server' | 'connection' | 'silent' | 'too_large' | 'bad_answer' | 'bad_request'

/** Creates a `search_failed` error: the backend responded, but the response is not usable. */
export function searchFailed(reason: Reason, sentence: string, cause?: unknown): EngineError {
  return new EngineError('search_failed', sentence, { details: { reason }, cause })
}

/** Creates a `search_unavailable` error: the backend cannot respond at the moment. `retryAfter` is in seconds. */
export function searchUnavailable(reason: Reason, sentence: string, cause?: unknown, retryAfter?: number): EngineError {
  const details = { reason, ...(retryAfter !== undefined && { retryAfter }) }
  return new EngineError('search_unavailable', sentence, { details, cause })
}

/** Creates a `not_configured` error: the operator has to change a setting. */
export function searchNotConfigured(sentence: string, cause?: unknown): EngineError {
  return new EngineError('not_configured', sentence, { details: { port: 'search' }, cause })
}
