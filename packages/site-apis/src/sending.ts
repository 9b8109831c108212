// Sends the requests of recipes: under the guard, the policies and the robots.txt of each host.
import { EngineError, type Fetcher, type Proxy } from '@harvestman/ports'

import { charsetOf, decodeBody } from './decode.ts'
import { limits, type RecipeRequest } from './recipe.ts'
import { readCookie } from './tokens.ts'

/** A response to a request of a recipe. */
export interface Received {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** Sends requests with the cookies that the hosts have set since it was created. */
export interface Sender {
  /** Rejects if a rule forbids the URL, the host fails, or the limit of requests is reached. */
  send(request: RecipeRequest): Promise<Received>
  /** Returns the value of a cookie of a host. */
  cookie(url: string, name: string): string | undefined
  /** Number of requests. */
  readonly count: () => number
}

/** How requests are sent, and the limits of the scrape for them. */
export interface SendingKit {
  readonly fetcher: Fetcher
  readonly signal: AbortSignal
  /** Headers of the engine, which take precedence over headers of the recipe. */
  readonly headers: Readonly<Record<string, string>>
  readonly team: string
  readonly proxy: Proxy | undefined
  readonly skipTlsVerification: boolean
  /** Rejects if a policy, a list of threats or robots.txt forbids the URL. */
  readonly mayVisit: (url: URL, signal: AbortSignal) => Promise<void>
  /** Called before each request that is sent. */
  readonly onRequest?: () => void
}

/** Creates a sender without cookies. `max` is the number of requests. */
export function makeSender(kit: SendingKit, max: number): Sender {
  const jars = new Map<string, Map<string, string>>()
  let count = 0
  return {
    count: () => count,
    cookie: (url, name) => jars.get(new URL(url).origin)?.get(name),
    send: async (request) => {
      if (count >= max) throw new EngineError('response_too_large', `The recipe needs more than ${max} requests.`)
      count += 1
      const { url, method, body, headers } = wireOf(request)
      await kit.mayVisit(url, kit.signal)
      kit.onRequest?.()
      const jar = jars.get(url.origin) ?? new Map<string, string>()
      jars.set(url.origin, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const late = AbortSignal.timeout(limits.requestTime)
      const response = await kit.fetcher
        .exchange(
          {
            ...{ url, method, maxBytes: limits.bodyBytes, owner: `site APIs of ${kit.team}` },
            headers: { ...headers, ...kit.headers, ...(cookie !== '' && { cookie }) },
            ...{ proxy: kit.proxy, skipTlsVerification: kit.skipTlsVerification },
            ...(body !== undefined && { body: new TextEncoder().encode(body) }),
          },
          AbortSignal.any([kit.signal, late]),
        )
        .catch((cause: unknown) => {
          if (!late.aborted || kit.signal.aborted) throw cause
          const message = `${url.host} did not respond within ${limits.requestTime} ms.`
          throw new EngineError('connection_failed', message, { cause })
        })
      for (const [name, value] of response.headers) if (name === 'set-cookie') jar.set(...readCookie(value))
      const received = new Map(response.headers)
      const type = received.get('content-type')
      const text = decodeBody(response.body, type)
      if (text !== undefined) return { status: response.status, headers: received, text }
      const message = `The response of ${url.host} has the unknown charset ${charsetOf(type)}.`
      throw new EngineError('bad_response', message)
    },
  }
}

function wireOf({ method, url: base, query, headers, body }: RecipeRequest) {
  const url = new URL(base)
  // An empty `search` would add a question mark.
  if (query.length > 0) url.search = new URLSearchParams([...query]).toString()
  const text =
    body && (body.as === 'json' ? JSON.stringify(body.value) : new URLSearchParams([...body.fields]).toString())
  const type = body && (body.as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded')
  return { url, method, body: text, headers: { ...(type !== undefined && { 'content-type': type }), ...headers } }
}
