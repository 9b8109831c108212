import { EngineError } from '@harvestman/ports'

/** Returns the thrown value as an error with a code. Anything else is an internal error. */
export function typedError(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  return new EngineError('internal', 'Harvestman has a bug. Please report it with the cause.', { cause: error })
}
