import { EngineError } from '@harvestman/core'

import { explainHeader } from '../request/explain.ts'

/** Origins whose pages may use the API. */
export type AllowedOrigins = readonly string[] | '*'

/** Origins whose pages may use the API, alone or with what else is allowed them. */
export type CorsOptions = AllowedOrigins | CorsRules

/** Rules for pages of other origins. */
export interface CorsRules {
  readonly origins: AllowedOrigins
  /** Headers that pages may send beside those that the API reads, for what stands around it. */
  readonly headers?: readonly string[] | undefined
}

type Headers = Readonly<Record<string, string>>

export interface Cors {
  /** Returns headers that let the page that asks read the answer; none for a page that may not. */
  headers(request: Request): Headers
  /** Returns the headers of a preflight, which browsers send before a request that is more than a link could be. */
  preflight(request: Request, methods: string): Headers
  /** Returns whether a page of this origin may ask; a caller that is no page may. */
  allows(origin: string | null): boolean
}

const exposed = 'x-request-id, retry-after'
const read = ['authorization', 'content-type', 'x-request-id', 'x-idempotency-key', 'last-event-id', explainHeader]
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/

export function makeCors(options: CorsOptions | undefined): Cors {
  const { origins = [], headers: more = [] } = rulesOf(options)
  const wrong = more.find((name) => !headerName.test(name))
  if (wrong !== undefined) {
    throw new EngineError('invalid_request', `cors.headers has ${JSON.stringify(wrong)}, which is no name of a header.`)
  }
  const allowedHeaders = [...new Set([...read, ...more.map((name) => name.toLowerCase())])].join(', ')
  const headers = (request: Request): Headers => {
    if (options === undefined) return {}
    if (origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
    const origin = request.headers.get('origin')
    // The answer depends on who asks, also when the answer is no.
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
