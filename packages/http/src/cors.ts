import { explainHeader } from './explain.ts'

/** Origins whose pages may use the API; none when absent. */
export type AllowedOrigins = readonly string[] | '*'

type Headers = Readonly<Record<string, string>>

/** What lets the page that asks read the answer; nothing for a page that may not. */
export function corsHeaders(request: Request, allowed: AllowedOrigins | undefined): Headers {
  if (allowed === undefined) return {}
  const origin = request.headers.get('origin')
  if (allowed === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
  // The answer depends on who asks, also when the answer is no.
  if (origin === null || !allowed.includes(origin)) return { vary: 'origin' }
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'origin' }
}

const exposed = 'x-request-id, retry-after'

/** What a browser asks for before it sends a request that is more than a link could. */
export function preflightHeaders(request: Request, allowed: AllowedOrigins | undefined, methods: string): Headers {
  const headers = corsHeaders(request, allowed)
  if (!headers['access-control-allow-origin']) return headers
  return {
    ...headers,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': `authorization, content-type, x-request-id, x-idempotency-key, ${explainHeader}`,
    'access-control-max-age': '600',
  }
}
