import { EngineError, errorCodes } from '@harvestman/core'

/** The check is worked on by another engine, or its monitor is gone: this one leaves it. */
export class LeftCheck extends Error {}

/** Whether a check that failed so would fail so again. */
export function isFinal(error: unknown): error is EngineError {
  return (
    EngineError.is(error) &&
    !errorCodes[error.code].retryable &&
    error.code !== 'closed' &&
    error.code !== 'store_failed'
  )
}

/** What people are told of a fault. */
export function messageOf(error: unknown): string {
  return EngineError.is(error) ? error.message : 'The check broke.'
}
