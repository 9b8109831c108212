import { EngineError } from '../errors/error.ts'

/** Reads JSON that a store gave. What is not what was kept is the fault of the store, and is said in our words. */
export function parseKept(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(cause)
  }
}

/** The error for a value of the store that is not in its format. */
export function damaged(cause?: unknown): EngineError {
  const message = 'The store gave something else than what was kept: it is damaged. Bring back a copy, or start anew.'
  return new EngineError('store_failed', message, { cause, details: { reason: 'damaged' } })
}
