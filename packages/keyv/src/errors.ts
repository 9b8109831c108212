import { EngineError } from '@harvestman/ports'

/** Returns a `store_failed` error that wraps an error of the backend, whose message is not used. */
export function storeFailed(message: string, cause?: unknown, details: Readonly<Record<string, unknown>> = {}) {
  return new EngineError('store_failed', message, { details, ...(cause === undefined ? {} : { cause }) })
}

export const storeClosed = () => new EngineError('closed', 'The store was closed. Create a new one.')
