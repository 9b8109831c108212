import { EngineError } from '@harvestman/ports'

/** What was thrown, as an error with a code: one that has none is a fault of ours. */
export function typedError(error: unknown): EngineError {
  if (EngineError.is(error)) return error
  return new EngineError('internal', 'Harvestman has a bug. Please report it with the cause.', { cause: error })
}
