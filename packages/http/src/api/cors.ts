import { EngineError } from '@harvestman/core'

import { explainHeader } from '../request/explain.ts'

/** Origins whose pages may use the API. */
export type AllowedOrigins = readonly string[] | '*'

/** Allowed origins, alone or with further rules. */
export type CorsOptions = AllowedOrigins | CorsRules

/** CORS rules. */
export interface CorsRules {
  readonly origins: AllowedOrigins
  /** Request headers that pages may send in addition to the API's own, such as headers of a reverse proxy. */
  readonly headers?: readonly string[] | undefined
}

type Headers = Readonly<Record<string, string>>

export interface Cors {
  /** Returns headers that let the calling page read the response; at most `vary` if its origin is not allowed. */
  headers(request: Request): Headers
  /** Returns the headers of a preflight response; none if the origin is not allowed. */
  preflight(request: Request, methods: string): Headers
  /** Returns whether a page of this origin may send requests. `null` means that the caller is not a browser page. */
  allows(origin: string | null): boolean
}

const exposed = 'x-request-id, retry-after'
const read = ['authorization', 'content-type', 'x-request-id', 'x-idempotency-key', 'last-event-id', explainHeader]
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

/**
 * Returns the CORS rules of a server; without options no CORS headers are sent. Throws `invalid_request` if a header
 * name is invalid. `allows` also accepts requests without an Origin header.
 */
export function makeCors(options: CorsOptions | undefined): Cors {
  const { origins = [], headers: more = [] } = rulesOf(options)
  const wrong = more.find((name) => !headerName.test(name))
  if (wrong !== undefined) {
    throw new EngineError('invalid_request', `cors.headers has ${JSON.stringify(wrong)}, which is not a header name.`)
  }
  const allowedHeaders = [...new Set([...read, ...more.map((name) => name.toLowerCase())])].join(', ')
  const headers = (request: Request): Headers => {
    if (options === undefined) return {}
    if (origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
    const origin = request.headers.get('origin')
    // The response varies by origin, even if the origin is rejected.
    if (origin === null || !origins.includes(origin)) return { vary: 'origin' }
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'origin' }
  }
  return {
    headers,
    preflight: (request, methods) => {
      if (!headers(request)['access-control-allow-origin']) return {}
      return {
        'access-control-allow-methods': methods,
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '600',
      }
    },
    allows: (origin) => origin === null || origins === '*' || origins.includes(origin),
  }
}

function rulesOf(options: CorsOptions | undefined): Partial<CorsRules> {
  if (options === undefined) return {}
  return options === '*' || isList(options) ? { origins: options } : options
}

function isList(options: readonly string[] | CorsRules): options is readonly string[] {
  return Array.isArray(options)
}
