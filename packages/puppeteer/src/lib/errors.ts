import { EngineError } from '@harvestman/ports'

/** Creates the `action_failed` error for an action that a user could not have performed either. */
export function actionFailed(sentence: string, cause?: unknown): EngineError {
  return new EngineError('action_failed', sentence, { cause })
}

/** Creates a `browser_failed` error, for failures of the browser itself. */
export function browserFailed(sentence: string, cause?: unknown, details = {}): EngineError {
  return new EngineError('browser_failed', sentence, { cause, details })
}

/**
 * Converts any error, such as a protocol error, to a `browser_failed` error. Returns an `EngineError` unchanged. `doing`
 * completes the message "The browser failed while it was …".
 */
export function asBrowserFailure(error: unknown, doing: string): EngineError {
  if (EngineError.is(error)) return error
  return browserFailed(`The browser failed while it was ${doing}. Scrape the page again.`, error)
}
