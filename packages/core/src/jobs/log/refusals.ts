import { damagedRecord } from '@harvestman/coordination'
import { EngineError } from '@harvestman/ports'

/** Says of an error whether the store will never take so large a value. */
export function isTooLarge(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && error.details?.['reason'] === 'too large'
}

/** Tells the time of a record in ISO form, and of one that cannot be right that the store is damaged. */
export function timeOf(at: number): string {
  // The largest time that there is.
  if (Number.isFinite(at) && Math.abs(at) <= 8.64e15) return new Date(at).toISOString()
  throw damagedRecord('a time of a job')
}
