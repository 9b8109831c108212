import { errorCode } from '@harvestman/toolbox/error-message'
import { EngineError, type ErrorCode } from '@harvestman/ports'

type Row = readonly [pattern: RegExp, code: ErrorCode, sentence: string]

// Patterns for error codes; the first match counts.
const rows: readonly Row[] = [
  [/^CERT_HAS_EXPIRED$/, 'tls_failed', certificate('has expired')],
  [/^CERT_NOT_YET_VALID$/, 'tls_failed', certificate('is not valid yet')],
  [/^CERT_REVOKED$/, 'tls_failed', certificate('was revoked')],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'tls_failed', certificate('is for another name')],
  [/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/, 'tls_failed', certificate('is not signed by a trusted authority')],
  [/^UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/, 'tls_failed', certificate('is not signed by a trusted authority')],
  [/^(?:CERT_|CRL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/, 'tls_failed', certificate('is not valid')],
  [
    /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/,
    'connection_failed',
    'The host does not use a supported version of TLS. Check the scheme and the port of the URL.',
  ],
  [/^(?:ENOTFOUND|ENODATA|EAI_|ESERVFAIL)/, 'dns_failed', 'The host name could not be resolved. Check its spelling.'],
  [/^ECONNREFUSED$/, 'connection_failed', 'The host refused the connection. Check the port, or try again later.'],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/,
    'connection_failed',
    'The host cannot be reached from here. Try again later.',
  ],
  [
    /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    'timeout',
    'The host did not accept a connection in time. Try again later.',
  ],
  [
    /^UND_ERR_HEADERS_TIMEOUT$/,
    'timeout',
    'The host accepted the request but did not respond in time. Try again later.',
  ],
  [/^UND_ERR_BODY_TIMEOUT$/, 'timeout', 'The host stopped in the middle of its response. Try again later.'],
  [
    /^UND_ERR_HEADERS_OVERFLOW$/,
    'response_too_large',
    'The headers of the response exceed the limit. Try another URL of the host.',
  ],
  [/^UND_ERR_INVALID_ARG$/, 'invalid_request', 'The request has a header that is not valid in HTTP. Correct headers.'],
  [
    /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
    'bad_response',
    'The response is shorter or longer than the host declared. Try again later.',
  ],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|ENOTCONN|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED)$/,
    'connection_failed',
    'The connection to the host was lost. Try again.',
  ],
]

function certificate(what: string): string {
  return `The certificate of the host ${what}. Set skipTlsVerification to read the page all the same.`
}

/**
 * Converts an error of Node or undici to an `EngineError`, with the code `internal` if it is unknown. Returns an `EngineError`
 * unchanged.
 */
export function wireError(error: unknown, host: string): EngineError {
  if (EngineError.is(error)) return error
  // Undici uses the same code for a broken connection and for an unexpected response.
  if (error instanceof Error && /^bad (?:response|upgrade)$/.test(error.message)) {
    return made('bad_response', 'The response of the host does not match the request. Try again later.', error, host)
  }
  if (error instanceof Error && error.name === 'HTTPParserError') return notHttp(error, host)
  return wireErrorOf(errorCode(error) ?? '', host, error)
}

/** Returns the `EngineError` for an error code of Node or undici, with the code `internal` if it is unknown. */
export function wireErrorOf(code: string, host: string, error: unknown): EngineError {
  const row = rows.find(([pattern]) => pattern.test(code))
  if (row) return made(row[1], row[2], error, host)
  return made('internal', 'The page could not be fetched, for an unknown reason. Please report this.', error, host)
}

/** Returns the `bad_response` error for a response that is not HTTP. */
export function notHttp(error: unknown, host: string): EngineError {
  const sentence = 'The response of the host is not HTTP. Check the scheme and the port of the URL.'
  return made('bad_response', sentence, error, host)
}

function made(code: ErrorCode, sentence: string, cause: unknown, host: string): EngineError {
  return new EngineError(code, sentence, { cause, details: { host } })
}
