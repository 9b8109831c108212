// Converts server errors to engine errors, so that exit codes are the same.
import type { HarvestmanError } from '@harvestman/client'
import { EngineError, type ErrorCode } from '@harvestman/ports'

const byCode: Readonly<Record<string, ErrorCode>> = {
  NETWORK: 'connection_failed',
  BAD_ANSWER: 'bad_response',
  TIMEOUT: 'timeout',
  NOT_CONFIGURED: 'not_configured',
  URL_BLOCKED: 'url_blocked',
  SCRAPE_UNSUPPORTED_FILE_ERROR: 'unsupported_file',
  UNSUPPORTED_FILE_TYPE: 'unsupported_file',
  SCRAPE_PAGE_TOO_COMPLEX: 'page_too_complex',
  SCRAPE_FORMAT_ERROR: 'format_failed',
}

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'invalid_request',
  429: 'rate_limited',
}

/**
 * Returns an `EngineError` unchanged, and converts the error of a server to one, with `loaders_failed` for an unknown code;
 * `undefined` for other errors.
 */
export function engineErrorOf(error: unknown): EngineError | undefined {
  if (EngineError.is(error)) return error
  if (!isOfServer(error)) return undefined
  const { code, status = 0, message, details } = error
  const own = byCode[code] ?? byStatus[status] ?? 'loaders_failed'
  const problems = Array.isArray(details) ? details.flatMap(sentenceOf) : []
  const sentence = problems.length > 0 ? problems.join(' ') : message
  return new EngineError(own, sentence, { cause: error, details: { isOfServer: true, problems: details } })
}

/** Checks the name, so that local commands need not load the client. */
function isOfServer(error: unknown): error is HarvestmanError {
  return error instanceof Error && error.name === 'HarvestmanError'
}

function sentenceOf(problem: unknown): string[] {
  const { path, message } = (problem ?? {}) as { readonly path?: unknown; readonly message?: unknown }
  if (typeof message !== 'string') return []
  return [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message]
}
