import { damagedRecord } from '@harvestman/coordination'
import { EngineError } from '@harvestman/ports'

/** Returns whether the store rejected a value because it is too large. Retrying cannot help. */
export function isTooLarge(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && error.details?.['reason'] === 'too large'
}

/**
 * Formats the time of a record, in milliseconds since 1970, as an ISO string. Throws a damaged-record error if it is not a
 * valid time.
 */
export function formatTime(at: number): string {
  // Maximum time value of a `Date`.
  if (Number.isFinite(at) && Math.abs(at) <= 8.64e15) return new Date(at).toISOString()
  throw damagedRecord('a time of a job')
}
