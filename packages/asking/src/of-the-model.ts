import { EngineError, type ErrorCode } from '@harvestman/ports'

const codes: ReadonlySet<ErrorCode> = new Set(['model_failed', 'model_unavailable'])

/** Whether the language model caused the error. Jobs with many steps then end with partial results instead of losing them. */
export function isOfTheModel(error: unknown): error is EngineError {
  return EngineError.is(error) && codes.has(error.code)
}
