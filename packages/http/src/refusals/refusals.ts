// Errors before a route is found, or before its work starts.
import type { Remedies } from '@harvestman/ports'

import type { Refusal } from '../answer/answer.ts'
import { operatorRemedy, ownCodes, statuses } from './errors.ts'
import type { Need, Route } from '../route/route.ts'

/** The public API's message for a bad job id. It has no code. */
const badJobId = 'Invalid job ID format. Job ID must be a valid UUID.'

/**
 * Returns whether the path has parameters, all of them are job ids, and the route has no message of its own for an invalid one.
 */
export function namesJob({ path, params, words }: Pick<Route, 'path' | 'params' | 'words'>): boolean {
  return path.includes('{') && params === undefined && words?.badId === undefined
}

/** Returns the error response (400) for a path with an invalid parameter. */
export function badParams(route: Route): Refusal {
  const { status, code } = statuses.invalid_request
  if (namesJob(route)) return { status, error: badJobId }
  return { status, code, error: route.words?.badId ?? 'Invalid path parameter' }
}

const needNames: Readonly<Record<string, string>> = {
  browser: 'a browser',
  llm: 'a language model',
  search: 'a search provider',
  sessions: 'live browsers',
}

/**
 * Returns the error response (503) of an endpoint whose port is not configured. If only an option of a request needs
 * the port, the engine rejects it with 400.
 */
export function missingNeed(need: Need, remedies: Remedies = {}): Refusal {
  const error = `This endpoint needs ${needNames[need] ?? `the port ${need}`}. ${remedies[need] ?? operatorRemedy}`
  return { status: 503, code: statuses.not_configured.code, error, details: { port: need } }
}

/**
 * Returns the error response (501) of a public API endpoint that this server does not have. `instead` tells what to
 * use.
 */
export function notSupported(instead: string): Refusal {
  return { status: 501, code: ownCodes.notSupported, error: `Harvestman does not offer this endpoint. ${instead}` }
}

export const notFromHere: Refusal = {
  ...statuses.forbidden,
  error: 'A server without API keys accepts only requests to localhost. Configure an API key to use another host name.',
}

export const foreignPage: Refusal = {
  ...statuses.forbidden,
  error: 'Pages of this origin may not use this server. Its operator can allow them.',
}

/** Returns the error response (503) of an endpoint whose plugin is missing. */
export function missingPlugin(error: string): Refusal {
  return { status: 503, code: statuses.not_configured.code, error }
}

/**
 * Returns the error response of an unknown path (404), or of a method that the path does not support (405). `allowed`
 * has the methods that it supports.
 */
export function noRoute(allowed: readonly string[]): Refusal {
  if (allowed.length === 0) {
    return {
      ...statuses.not_found,
      error: 'This endpoint does not exist. See GET /openapi.json for a list of endpoints.',
    }
  }
  const list = allowed.join(', ')
  const error = `This endpoint does not support this method. Use ${list}.`
  return { status: 405, code: ownCodes.methodNotAllowed, error, headers: { allow: list } }
}
