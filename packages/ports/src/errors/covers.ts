import type { ErrorCode } from './codes.ts'
import { EngineError } from './error.ts'

/**
 * Messages for everyone but the operator, in place of the message of an error, which can name hosts, files and versions of the
 * server.
 */
export const coverMessages = {
  store_failed: 'The store of this server is unavailable. Try again later.',
  newer_version: 'The stored data was written by a newer version of this server. Its operator must update it.',
  closed: 'This server is shutting down. Try again.',
  internal: 'An unexpected error occurred.',
} as const

/**
 * Returns a message of an error that everyone may see: a general one for `store_failed`, `newer_version` and `closed`,
 * `otherwise` for internal errors and values that are not an `EngineError`, else the error's own message.
 */
export function publicMessage(error: unknown, otherwise: string = coverMessages.internal): string {
  if (!EngineError.is(error) || error.code === 'internal') return otherwise
  const covers: Partial<Record<ErrorCode, string>> = coverMessages
  return covers[error.code] ?? error.message
}
