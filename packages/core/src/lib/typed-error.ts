import { EngineError } from '@harvestman/ports'

/** Returns the thrown value if it is an `EngineError`. Anything else becomes the cause of an `internal` error. */
export function typedError(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  return new EngineError('internal', 'Harvestman has a bug. Please report it with the cause.', { cause: error })
}
