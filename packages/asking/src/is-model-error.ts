import { EngineError, type ErrorCode } from '@harvestman/ports'

const codes: ReadonlySet<ErrorCode> = new Set(['model_failed', 'model_unavailable'])

/**
 * Returns whether the language model caused the error: `model_failed` or `model_unavailable`. Jobs with many steps then end
 * with partial results.
 */
export function isModelError(error: unknown): error is EngineError {
  return EngineError.is(error) && codes.has(error.code)
}
