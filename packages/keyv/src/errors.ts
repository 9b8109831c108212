import { EngineError } from '@harvestman/ports'

/** Wraps what a backend said, so that no message of a foreign library becomes ours. */
export function storeFailed(message: string, cause?: unknown, details: Readonly<Record<string, unknown>> = {}) {
  return new EngineError('store_failed', message, { details, ...(cause === undefined ? {} : { cause }) })
}

export const storeClosed = () => new EngineError('closed', 'The store was closed. Make a new one to go on.')
