import { EngineError } from '@harvestman/ports'

/** What was wrong, for programs: `details.reason`. */
export type Reason = 'busy' | 'server' | 'connection' | 'silent' | 'too_large' | 'bad_answer' | 'bad_request'

/** The search answered, and the answer is no use. */
export function failed(reason: Reason, sentence: string, cause?: unknown): EngineError {
  return new EngineError('search_failed', sentence, { details: { reason }, cause })
}

/** There is no answer at the moment. */
export function unavailable(reason: Reason, sentence: string, cause?: unknown, retryAfter?: number): EngineError {
  const details = { reason, ...(retryAfter !== undefined && { retryAfter }) }
  return new EngineError('search_unavailable', sentence, { details, cause })
}

/** The operator has to change something. */
export function misconfigured(sentence: string, cause?: unknown): EngineError {
  return new EngineError('not_configured', sentence, { details: { port: 'search' }, cause })
}
