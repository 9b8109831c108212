import { EngineError, type ErrorCode, type ErrorDetails, type RateVerdict } from '@harvestman/core'
import { coverMessages, messageWith, type Remedies } from '@harvestman/ports'

import { fieldOf, type Problem } from '@harvestman/core/schema'

import type { Refusal } from '../answer/answer.ts'
import { rateHeaders } from '../answer/rate-headers.ts'
import type { Words } from '../route/route.ts'

interface Row {
  readonly status: number
  /** Error code: the public API's if it exists, else our own. */
  readonly code: string
  /** Replaces the engine's message. */
  readonly sentence?: string
  /** Details that callers may see. All others stay hidden: they can name hosts or files. */
  readonly details?: readonly string[]
  /** Details that the body has next to `error`. */
  readonly topLevel?: readonly string[]
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
}

/** HTTP status and code of each engine error. */
export const statuses = {
  invalid_request: { status: 400, code: 'BAD_REQUEST', topLevel: ['feedbackErrorCode'] },
  not_configured: { status: 400, code: 'NOT_CONFIGURED', details: ['port', 'because'] },
  not_for_files: { status: 400, code: 'PARSE_UNSUPPORTED_OPTIONS' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  url_blocked: { status: 403, code: 'URL_BLOCKED' },
  robots_denied: { status: 403, code: 'ROBOTS_DENIED' },
  policy_denied: { status: 403, code: 'POLICY_DENIED', details: ['policy', 'reason'] },
  unsafe_domain_blocked: { status: 403, code: 'unsafe_domain_blocked', details: ['rule', 'entry'] },
  prompt_injection: { status: 403, code: 'SCRAPE_PROMPT_INJECTION_DETECTED' },
  logged_out: { status: 403, code: 'SCRAPE_LOGGED_OUT', details: ['profile', 'url', 'reason', 'signal'] },
  scope_missing: { status: 403, code: 'SCOPE_MISSING' },
  rate_limited: { status: 429, code: 'RATE_LIMITED', retryAfter: 5 },
  forbidden: { status: 403, code: 'FORBIDDEN', sentence: 'You are not allowed to access this resource.' },
  not_found: { status: 404, code: 'NOT_FOUND', sentence: 'Job not found.', topLevel: ['feedbackErrorCode'] },
  conflict: { status: 409, code: 'CONFLICT', details: ['checkId'], topLevel: ['runId', 'feedbackErrorCode'] },
  session_over: { status: 410, code: 'SESSION_DESTROYED', sentence: 'Browser session has been destroyed.' },
  too_many_sessions: { status: 429, code: 'TOO_MANY_SESSIONS', retryAfter: 30 },
  not_cached: { status: 404, code: 'SCRAPE_NO_CACHED_DATA' },
  lockdown_miss: { status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' },
  timeout: { status: 408, code: 'SCRAPE_TIMEOUT' },
  map_timeout: { status: 408, code: 'MAP_TIMEOUT' },
  search_timeout: { status: 408, code: 'SEARCH_TIMEOUT' },
  search_unavailable: { status: 503, code: 'SEARCH_UNAVAILABLE', details: ['reason'], retryAfter: 10 },
  search_failed: { status: 502, code: 'SEARCH_FAILED', details: ['reason'] },
  // Clients of the public API expect status 200: the request succeeded, and its result is that the host does not exist.
  dns_failed: { status: 200, code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
  connection_failed: { status: 500, code: 'SCRAPE_SITE_ERROR' },
  proxy_budget_exceeded: { status: 503, code: 'PROXY_BUDGET_EXCEEDED', details: ['tier', 'resetsAt'] },
  bad_response: { status: 500, code: 'SCRAPE_SITE_ERROR' },
  too_many_redirects: { status: 500, code: 'SCRAPE_SITE_ERROR' },
  tls_failed: { status: 500, code: 'SCRAPE_SSL_ERROR' },
  response_too_large: { status: 500, code: 'SCRAPE_RESPONSE_TOO_LARGE', details: ['bytes', 'limit'] },
  page_too_complex: { status: 500, code: 'SCRAPE_PAGE_TOO_COMPLEX', details: ['bytes', 'limit'] },
  unsupported_file: { status: 500, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', details: ['type', 'reason'] },
  loaders_failed: { status: 500, code: 'SCRAPE_ALL_ENGINES_FAILED', details: ['attempts'] },
  browser_failed: { status: 500, code: 'SCRAPE_BROWSER_ERROR' },
  action_failed: { status: 500, code: 'SCRAPE_ACTION_ERROR', details: ['reason', 'step', 'done', 'seen'] },
  branding_not_supported: { status: 500, code: 'SCRAPE_BRANDING_NOT_SUPPORTED' },
  format_failed: { status: 500, code: 'SCRAPE_FORMAT_ERROR', details: ['format'] },
  model_unavailable: { status: 503, code: 'MODEL_UNAVAILABLE', details: ['reason', 'format'], retryAfter: 10 },
  model_failed: { status: 502, code: 'MODEL_FAILED', details: ['reason', 'format'] },
  // Only used in the error list of a crawl.
  trap: { status: 500, code: 'CRAWL_TRAP' },
  insufficient_credits: { status: 402, code: 'INSUFFICIENT_CREDITS', details: ['needed', 'credits'] },
  store_failed: {
    status: 503,
    code: 'STORE_UNAVAILABLE',
    sentence: coverMessages.store_failed,
    retryAfter: 5,
  },
  newer_version: { status: 503, code: 'NEWER_VERSION', sentence: coverMessages.newer_version },
  // Nobody receives this; proxies log the status 499.
  aborted: { status: 499, code: 'REQUEST_CANCELLED' },
  closed: { status: 503, code: 'SERVER_CLOSING', sentence: coverMessages.closed, retryAfter: 1 },
  internal: {
    status: 500,
    code: 'UNKNOWN_ERROR',
    sentence: `${coverMessages.internal} Report it together with the X-Request-Id of this response.`,
  },
} as const satisfies Record<ErrorCode, Row>

/** Codes of errors that the HTTP layer detects itself, so they are not in the table. */
export const ownCodes = {
  invalidJson: 'BAD_REQUEST_INVALID_JSON',
  actionsNotSupported: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  tooLarge: 'BODY_TOO_LARGE',
  notJson: 'UNSUPPORTED_MEDIA_TYPE',
  notSupported: 'NOT_SUPPORTED',
} as const

/** Remedy for something that is missing if the server knows no better: callers cannot pass options to its engine. */
export const operatorRemedy = 'The operator of this server can add it.'

/**
 * Converts anything that was thrown to an error response. Anything that is not an `EngineError` becomes an internal
 * error (500) that hides its cause.
 */
export function refusalOf(thrown: unknown, words: Words = {}, remedies: Remedies = {}): Refusal {
  const error = EngineError.is(thrown) ? thrown : new EngineError('internal', 'Unexpected.', { cause: thrown })
  const row = rowOf(error.code)
  const details = detailsOf(error, row)
  const headers = headersOf(error, row)
  if (words.badBody !== undefined && Array.isArray(error.details['problems']))
    return { status: row.status, error: words.badBody, details }
  const status = words.statuses?.[error.code] ?? row.status
  const plain = words.plain?.[error.code]
  if (plain !== undefined) return { status, error: plain, ...(headers && { headers }) }
  return {
    status,
    code: publicCodeOf(error) ?? words.codes?.[error.code] ?? codeOf(error, row),
    error: sentenceOf(error, row, words, remedies),
    ...(details !== undefined && { details }),
    ...(row.topLevel && { topLevel: pick(error.details, row.topLevel) }),
    ...(headers && { headers }),
  }
}

function pick(details: ErrorDetails, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])))
}

function sentenceOf(error: EngineError, { sentence }: Row, words: Words, remedies: Remedies): string {
  const { notFound, forbidden, usesOwnMessages = false } = words
  if (publicCodeOf(error) !== undefined) return error.message
  if (error.code === 'not_found' && usesOwnMessages) return error.message
  if (error.code === 'forbidden' && forbidden !== undefined) return forbidden
  if (error.code === 'not_found' && notFound !== undefined) return notFound
  if (error.code === 'invalid_request') return aboutProblems(error.details['problems']) ?? error.message
  return sentence ?? messageWith(error, remedies, operatorRemedy)
}

// Message of the public API, which clients and their tests rely on. The details name the key.
const unknownKey = 'Unrecognized key in body -- please review the API documentation for request body changes'

function aboutProblems(problems: unknown): string | undefined {
  if (!Array.isArray(problems) || problems.length === 0) return undefined
  const known = problems as readonly Problem[]
  if (known.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 1)) return unknownKey
  return known[0] && (known[0].code === 'custom' ? known[0].message : withDottedField(known[0]))
}

/** Writes the field at the beginning of a message as the public API does: `parsers.0.mode`, which clients search for. */
function withDottedField({ path, message }: Problem): string {
  const field = fieldOf(path)
  return message.startsWith(field) ? `${path.join('.')}${message.slice(field.length)}` : message
}

function rowOf(code: ErrorCode): Row {
  // A newer core in the same process may have codes that are not in this table.
  return statuses[code] ?? statuses.internal
}

/** Returns the HTTP code and message of a page that failed in a job. */
export function shownError({ code, error }: { readonly code: ErrorCode; readonly error: string }) {
  const row = rowOf(code)
  return { code: row.code, error: row.sentence ?? error }
}

/**
 * Returns whether an error should be reported to the operator, because the response hides its cause: `internal`,
 * `store_failed`, and anything that is not an `EngineError`.
 */
export function isFault(thrown: unknown): boolean {
  return !EngineError.is(thrown) || thrown.code === 'internal' || thrown.code === 'store_failed'
}

/** Returns the public API's own code for an error, if there is one. */
function publicCodeOf({ details: { publicCode } }: EngineError): string | undefined {
  return typeof publicCode === 'string' ? publicCode : undefined
}

function codeOf(error: EngineError, row: Row): string {
  const { code, details } = error
  const own = publicCodeOf(error)
  if (own !== undefined) return own
  const isAboutActions = code === 'not_configured' && details['capability'] === 'actions'
  return isAboutActions ? ownCodes.actionsNotSupported : row.code
}

// Only present if the caller requested an explanation.
const always = ['explain']

function detailsOf({ code, details }: EngineError, { details: shown = [] }: Row): unknown {
  if (code === 'invalid_request') return details['problems']
  const seen: ErrorDetails = Object.fromEntries(
    [...shown, ...always].flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])),
  )
  return Object.keys(seen).length > 0 ? seen : undefined
}

/** Returns the retry delay of the error itself, which takes precedence over the table's. */
function ownRetryAfter({ retryAfter }: ErrorDetails): number | undefined {
  return typeof retryAfter === 'number' ? retryAfter : undefined
}

function headersOf({ code, details }: EngineError, { retryAfter }: Row): Record<string, string> | undefined {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' }
  const seconds = ownRetryAfter(details) ?? retryAfter
  return seconds === undefined
    ? undefined
    : {
        // Rate limit errors include the state of the limit.
        ...rateHeaders(details['rate'] as RateVerdict | undefined),
        'retry-after': String(seconds),
      }
}
