import { EngineError } from '@harvestman/ports'

/** Something a person could not have done on the page either. */
export function actionFailed(sentence: string, cause?: unknown): EngineError {
  return new EngineError('action_failed', sentence, { cause })
}

export function browserFailed(sentence: string, cause?: unknown, details = {}): EngineError {
  return new EngineError('browser_failed', sentence, { cause, details })
}

/** The errors of the protocol never become ours: they are wrapped here. */
export function asBrowserFailure(error: unknown, doing: string): EngineError {
  if (EngineError.is(error)) return error
  return browserFailed(`The browser failed while it was ${doing}. Scrape the page again.`, error)
}
