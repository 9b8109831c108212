import { EngineError } from '@harvestman/ports'

/** What was wrong with a model or its answer, for programs: `details.reason`. */
export type Reason =
  | 'refused'
  | 'cut'
  | 'empty'
  | 'not_json'
  | 'unfit'
  | 'unknown_tool'
  | 'too_long'
  | 'too_large'
  | 'budget'
  | 'bad_request'
  | 'bad_answer'

/** The model answered, and the answer is no use. */
export function failed(reason: Reason, sentence: string, cause?: unknown): EngineError {
  return new EngineError('model_failed', sentence, { details: { reason }, cause })
}

/** There is no answer at the moment. */
export function unavailable(
  reason: 'busy' | 'quota' | 'connection' | 'silent' | 'timeout' | 'server',
  sentence: string,
  cause?: unknown,
): EngineError {
  return new EngineError('model_unavailable', sentence, { details: { reason }, cause })
}

/** The operator has to change something. */
export function misconfigured(sentence: string, cause?: unknown): EngineError {
  return new EngineError('not_configured', sentence, { details: { port: 'llm' }, cause })
}
