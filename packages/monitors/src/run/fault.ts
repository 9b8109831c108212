import { EngineError, errorCodes } from '@harvestman/core'
import { publicMessage } from '@harvestman/ports'

/** The check now belongs to another engine, or its monitor was deleted. This engine stops working on it. */
export class LeftCheck extends Error {}

/**
 * Returns whether retrying a check would fail in the same way. False for store failures and errors of a closed engine,
 * and for anything that is not an `EngineError`.
 */
export function isPermanentFailure(error: unknown): error is EngineError {
  return (
    EngineError.is(error) &&
    !errorCodes[error.code].retryable &&
    error.code !== 'closed' &&
    error.code !== 'store_failed'
  )
}

/** Returns the message to show to users. Internal errors and errors of the store have a general one. */
export function messageOf(error: unknown): string {
  return publicMessage(error, 'The check failed.')
}
