// What is refused before an endpoint is found, or before its work begins.
import type { Refusal } from './answer.ts'
import { ownCodes, statuses } from './errors.ts'
import type { Route } from './route.ts'

export function badId({ words }: Route): Refusal {
  return { ...statuses.invalid_request, error: words?.badId ?? 'Invalid job ID' }
}

export const notFromHere: Refusal = {
  ...statuses.forbidden,
  error: 'A server without API keys answers only requests to localhost. Give it a key to use it under another name.',
}

export const foreignPage: Refusal = {
  ...statuses.forbidden,
  error: 'Pages of this origin may not use this server. Its operator can allow them.',
}

export function noRoute(allowed: readonly string[]): Refusal {
  if (allowed.length === 0) {
    return { ...statuses.not_found, error: 'There is no such endpoint. GET /openapi.json describes those there are.' }
  }
  const list = allowed.join(', ')
  const error = `This endpoint does not take this method. Use ${list}.`
  return { status: 405, code: ownCodes.methodNotAllowed, error, headers: { allow: list } }
}
