import { EngineError, type ErrorCode } from '@harvestman/ports'

const codes: ReadonlySet<ErrorCode> = new Set(['model_failed', 'model_unavailable'])

/** Whether a language model is what failed. Work of many steps then ends with what it has: no record is lost with the last. */
export function isOfTheModel(error: unknown): error is EngineError {
  return EngineError.is(error) && codes.has(error.code)
}
