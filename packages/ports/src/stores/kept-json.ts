import { EngineError } from '../errors/error.ts'

/** Parses JSON that a store returned. Throws a `store_failed` error if it is invalid, because the store is damaged then. */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(cause)
  }
}

/** Returns the error `store_failed` for a stored value that is not in its expected format. */
export function damaged(cause?: unknown): EngineError {
  const message =
    'The store returned a value that was not stored: it is damaged. Restore a backup, or start with a new store.'
  return new EngineError('store_failed', message, { cause, details: { reason: 'damaged' } })
}
