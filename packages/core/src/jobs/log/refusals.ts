import { EngineError } from '@harvestman/ports'

/** Says of an error whether the store will never take so large a value. */
export function isTooLarge(error: unknown): error is EngineError {
  return reasonOf(error) === 'too large'
}

/** Says of an error whether what the store has is broken: it will be so at the next try as well. */
export function isDamaged(error: unknown): error is EngineError {
  return reasonOf(error) === 'damaged'
}

/** Tells the time of a record in ISO form, and of one that cannot be right that the store is damaged. */
export function timeOf(at: number): string {
  // The largest time that there is.
  if (Number.isFinite(at) && Math.abs(at) <= 8.64e15) return new Date(at).toISOString()
  throw damaged('a time')
}

/** Says that a record of a job is there and not what was written. */
export function damaged(what: string): EngineError {
  return new EngineError('store_failed', `The store is damaged: ${what} of a job is not as it was written.`, {
    details: { reason: 'damaged' },
  })
}

function reasonOf(error: unknown): unknown {
  return EngineError.is(error) && error.code === 'store_failed' ? error.details?.['reason'] : undefined
}
