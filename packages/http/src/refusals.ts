// What is refused before an endpoint is found, or before its work begins.
import type { Refusal } from './answer.ts'
import { ownCodes, statuses } from './errors.ts'

export const badId: Refusal = { ...statuses.invalid_request, error: 'Invalid job ID' }

export const notFromHere: Refusal = {
  ...statuses.forbidden,
  error: 'A server without API keys answers only requests to localhost. Give it a key to use it under another name.',
}

export function noRoute(allowed: readonly string[]): Refusal {
  if (allowed.length === 0) {
    return { ...statuses.not_found, error: 'There is no such endpoint. GET /openapi.json describes those there are.' }
  }
  const list = allowed.join(', ')
  const error = `This endpoint does not take this method. Use ${list}.`
  return { status: 405, code: ownCodes.methodNotAllowed, error, headers: { allow: list } }
}
