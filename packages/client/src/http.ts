// Sends requests to a server, with timeouts and retries.
import { HarvestmanError } from './error.ts'

/** Connection options of a client. */
export interface ClientOptions {
  /** Base URL of the server, including the path before `/v2` if there is one. */
  readonly url: string
  /** API key. Servers on localhost may need none. */
  readonly key?: string | undefined
  /** Maximum number of retries if the server is busy or unreachable. Default: 3. */
  readonly retries?: number | undefined
  /** Request timeout in milliseconds. Default: 60,000. A scrape uses its own `timeout` plus 5 seconds. */
  readonly timeout?: number | undefined
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | undefined
  /** Instead of `body`: a form with a file and its options. */
  readonly form?: FormData | undefined
  /** Instead of `body`: only a file. */
  readonly bytes?: Blob | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  /** True if a body with `success: false` is a result and not an error. */
  readonly mayFail?: boolean | undefined
  /** True if repeating the request has no further effect, so that it may be retried after a broken connection. */
  readonly isRepeatable: boolean
}

/** Options of `request`. */
export interface RequestOptions extends Pick<Ask, 'headers' | 'mayFail' | 'signal'> {
  /** Default: `GET`. */
  readonly method?: Ask['method'] | undefined
  /** Sent as JSON, or as a form. */
  readonly body?: object | undefined
  /** Timeout in milliseconds. Default: the client's. */
  readonly timeout?: number | undefined
}

export interface Http {
  /** Sends a request and returns the JSON of a successful response. Throws `HarvestmanError` otherwise. */
  ask<Answer>(ask: Ask): Promise<Answer>
  /** Sends a request and returns a response with a success status. Throws `HarvestmanError` otherwise. */
  open(ask: Ask): Promise<Response>
  /** Sends a request unchanged, without retries. */
  send(path: string, init?: RequestInit): Promise<Response>
}

// The server did not start the work: it is busy, starting or stopping. The pause is its Retry-After, else exponential backoff.
const busy: ReadonlySet<number> = new Set([429, 503])
// A gateway between client and server failed, so it is unknown whether the request arrived.
const broken: ReadonlySet<number> = new Set([502, 504])
const firstPause = 500
const maxPause = 30_000

/**
 * Creates the sender of requests. Repeats a request up to `retries` times if the server is busy (429 or 503, unless it lacks
 * configuration), and after network and gateway failures if it is repeatable. Rejects with the signal's reason, or with a
 * `HarvestmanError`: `TIMEOUT` after `timeout` milliseconds, `NETWORK` if the server cannot be reached, `BAD_ANSWER` for a body
 * that is not complete JSON, otherwise the server's error. `send` rejects as `fetch` does.
 */
export function makeHttp({ url, key, retries = 3, timeout = 60_000, fetch = globalThis.fetch }: ClientOptions): Http {
  const base = url.replace(/\/+$/, '')
  const once = async (ask: Ask): Promise<Response> => {
    const { signal, timeout: own = timeout } = ask
    const late = AbortSignal.timeout(own)
    const sent = messageOf(ask, key)
    try {
      return await fetch(base + ask.path, { ...sent, signal: signal ? AbortSignal.any([signal, late]) : late })
    } catch (cause) {
      signal?.throwIfAborted()
      const wasLate = late.aborted
      const message = wasLate
        ? `${base} did not respond within ${own} ms.`
        : `${base} could not be reached. Check the URL, and that the server runs.`
      throw new HarvestmanError(message, { code: wasLate ? 'TIMEOUT' : 'NETWORK', cause })
    }
  }
  const open = async (ask: Ask): Promise<Response> => {
    for (let tries = 0; ; tries += 1) {
      const outcome = await outcomeOf(once(ask))
      const isLast = tries >= retries
      if ('response' in outcome) {
        const { response } = outcome
        if (response.ok) return response
        const mayRepeat = busy.has(response.status) || (ask.isRepeatable && broken.has(response.status))
        if (isLast || !mayRepeat || (await isFinal(response))) throw await refusalOf(response)
        await pause(pauseAfter(tries, response.headers.get('retry-after')), ask.signal)
        continue
      }
      const { error } = outcome
      const isBroken = error instanceof HarvestmanError && error.code === 'NETWORK'
      if (isLast || !isBroken || !ask.isRepeatable) throw error
      await pause(pauseAfter(tries, null), ask.signal)
    }
  }
  return {
    open,
    send: (path, init) => {
      const request = new Request(base + path, init)
      if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`)
      return fetch(request, init?.signal ? {} : { signal: AbortSignal.timeout(timeout) })
    },
    ask: async <Answer>(ask: Ask) => {
      const response = await open(ask)
      const answer = (await readJson(response, ask.signal)) as ErrorBody & { readonly success?: boolean }
      // The server returns status 200 for a host that does not exist, with `success: false`.
      if (answer.success === false && !ask.mayFail && !('status' in answer)) throw refused(response, answer)
      return answer as Answer
    },
  }
}

/**
 * Sends a request to any path and returns its JSON. Only GET requests are repeated after network failures. Rejects with a
 * `HarvestmanError` if the request fails or the response is an error or not JSON.
 */
export function sendRequest<Answer>(
  http: Http,
  path: string,
  { method = 'GET', body, ...rest }: RequestOptions = {},
): Promise<Answer> {
  const sent = body instanceof FormData ? { form: body } : { body }
  return http.ask({ ...rest, ...sent, method, path, isRepeatable: method === 'GET' })
}

function messageOf({ method, body, form, bytes, headers }: Ask, key: string | undefined): RequestInit {
  const sent = bytes ?? form ?? (body && JSON.stringify(body, schemaAsJson))
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  }
}

interface LibrarySchema {
  readonly '~standard': {
    readonly jsonSchema?: { input(options: { readonly target: string }): Readonly<Record<string, unknown>> }
  }
}

/**
 * Converts schemas of a library such as zod to JSON Schema, as a replacer for `JSON.stringify`. Returns other values unchanged.
 * Throws a `HarvestmanError` if the library cannot convert its schemas, and the library's error for a schema that it cannot
 * convert.
 */
export function schemaAsJson(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('~standard' in value)) return value
  // Cast: it has the marker of Standard Schema.
  const { jsonSchema } = (value as LibrarySchema)['~standard']
  if (jsonSchema) return jsonSchema.input({ target: 'draft-2020-12' })
  throw new HarvestmanError('This library cannot write its schema as JSON Schema. Pass a JSON Schema.', {
    code: 'BAD_REQUEST',
  })
}

interface ErrorBody {
  readonly error?: unknown
  readonly code?: unknown
  readonly details?: unknown
}

/** Separates response and error without `instanceof Response`, because frameworks may replace that class. */
function outcomeOf(asking: Promise<Response>) {
  return asking.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  )
}

/** A 503 for missing configuration is permanent, so a retry is useless. */
async function isFinal(response: Response): Promise<boolean> {
  if (response.status !== 503 || response.headers.has('retry-after')) return false
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as ErrorBody
  return code === 'NOT_CONFIGURED'
}

async function refusalOf(response: Response): Promise<HarvestmanError> {
  return refused(response, (await response.json().catch(() => ({}))) as ErrorBody)
}

function refused({ status, headers }: Response, { error, code, details }: ErrorBody): HarvestmanError {
  const message = typeof error === 'string' ? error : `The server responded with status ${status}.`
  return new HarvestmanError(message, {
    status,
    code: typeof code === 'string' ? code : undefined,
    details,
    requestId: headers.get('x-request-id') ?? undefined,
  })
}

function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return readBody(response.json(), signal, {
    message: 'The response is not JSON. Check that the URL is that of a Harvestman server.',
    status: response.status,
    code: 'BAD_ANSWER',
  })
}

/**
 * Waits until a body is read. Rejects with the signal's reason, or with a `HarvestmanError`: `TIMEOUT` if the timeout of the
 * request ended it, otherwise the given failure.
 */
export async function readBody<Body>(
  reading: Promise<Body>,
  signal: AbortSignal | undefined,
  { message, ...failure }: { readonly message: string; readonly status: number; readonly code: string },
): Promise<Body> {
  try {
    return await reading
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof Error && cause.name === 'TimeoutError')
      throw new HarvestmanError('The response was not complete within the timeout.', { code: 'TIMEOUT', cause })
    throw new HarvestmanError(message, { ...failure, cause })
  }
}

function pauseAfter(tries: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter)
  if (retryAfter !== null && Number.isFinite(seconds)) return Math.min(seconds * 1_000, maxPause)
  // Random jitter, so that clients that were rejected together do not retry together.
  return Math.min(firstPause * 2 ** tries * (0.5 + Math.random()), maxPause)
}

/** Waits this many milliseconds. Rejects with the signal's reason if it is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  const stop = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
