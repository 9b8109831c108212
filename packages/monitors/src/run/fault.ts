import { EngineError, errorCodes } from '@harvestman/core'

/** The check now belongs to another engine, or its monitor was deleted. This engine stops working on it. */
export class LeftCheck extends Error {}

/**
 * Returns whether retrying a check would fail in the same way. False for store failures and errors of a closed engine,
 * and for anything that is not an `EngineError`.
 */
export function isFinal(error: unknown): error is EngineError {
  return (
    EngineError.is(error) &&
    !errorCodes[error.code].retryable &&
    error.code !== 'closed' &&
    error.code !== 'store_failed'
  )
}

/** Returns the message to show to users. Internal errors are not exposed: they have a general message. */
export function messageOf(error: unknown): string {
  return EngineError.is(error) ? error.message : 'The check failed.'
}
