import { EngineError } from '@harvestman/ports'

/** Why a model failed or its output is invalid. Available to callers as `details.reason`. */
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

/** A kind of model, for messages and the details of errors. */
export interface ModelKind {
  readonly port: 'llm' | 'embeddings'
  /** Subject of messages. */
  readonly subject: string
}

export const languageModel: ModelKind = { port: 'llm', subject: 'The language model' }
export const embeddingModel: ModelKind = { port: 'embeddings', subject: 'The embedding model' }

/** Creates a `model_failed` error: the model responded, but its output is not usable. */
export function modelFailed(reason: Reason, sentence: string, cause?: unknown): EngineError {
  return new EngineError('model_failed', sentence, { details: { reason }, cause })
}

/** Creates a `model_unavailable` error: the model cannot respond at the moment. */
export function modelUnavailable(
  reason: 'busy' | 'quota' | 'connection' | 'silent' | 'timeout' | 'server',
  sentence: string,
  cause?: unknown,
): EngineError {
  return new EngineError('model_unavailable', sentence, { details: { reason }, cause })
}

/** Creates a `not_configured` error: the operator has to change a setting. */
export function modelNotConfigured({ port }: ModelKind, sentence: string, cause?: unknown): EngineError {
  return new EngineError('not_configured', sentence, { details: { port }, cause })
}
