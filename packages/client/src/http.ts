// One request to a server: its deadline, and what is asked again.
import { HarvestmanError } from './error.ts'

/** Where the server is, and how it is asked. */
export interface ClientOptions {
  /** The address of the server, with the path before `/v2` if it has one. */
  readonly url: string
  /** An API key; servers on this machine may need none. */
  readonly key?: string | undefined
  /** How many times a request is sent again that found the server busy or away; 3 when absent. */
  readonly retries?: number | undefined
  /** Milliseconds until a request is given up; 60,000 when absent. A scrape has its own `timeout`, and 5 seconds more. */
  readonly timeout?: number | undefined
  /** Sends requests; that of the platform when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object | undefined
  /** In place of `body`: a file with what is said of it. */
  readonly form?: FormData | undefined
  /** In place of `body`: a file alone. */
  readonly bytes?: Blob | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  /** Asking twice does no more than asking once, so that a broken connection is no reason to give up. */
  readonly isRepeatable: boolean
}

export interface Http {
  /** Gives the JSON of an answer that succeeded. */
  ask<Answer>(ask: Ask): Promise<Answer>
  /** Gives the answer itself, once its status is one of success. */
  open(ask: Ask): Promise<Response>
  /** Sends a request as it is given, once. */
  send(path: string, init?: RequestInit): Promise<Response>
}

// The server did not begin: it is busy, starting or ending. It says when to come again, or these are the pauses.
const busy: ReadonlySet<number> = new Set([429, 503])
// Something between here and the server failed, so it is unknown how far the request got.
const broken: ReadonlySet<number> = new Set([502, 504])
const firstPause = 500
const longestPause = 30_000

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
      const message = wasLate ? `${base} did not answer within ${own} ms.` : `${base} could not be reached.`
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
      const answer = (await readJson(response)) as Told & { readonly success?: boolean }
      // The server says so of a host that does not exist: it has done what it was asked for.
      if (answer.success === false && !('status' in answer)) throw refused(response, answer)
      return answer as Answer
    },
  }
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

/** A schema of a library, such as zod, is sent as the JSON Schema that it makes of itself. */
export function schemaAsJson(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('~standard' in value)) return value
  // Cast: the interface of Standard Schema, whose mark it has.
  const { jsonSchema } = (value as LibrarySchema)['~standard']
  if (jsonSchema) return jsonSchema.input({ target: 'draft-2020-12' })
  throw new HarvestmanError('This library cannot write its schema as JSON Schema. Pass a JSON Schema.', {
    code: 'BAD_REQUEST',
  })
}

interface Told {
  readonly error?: unknown
  readonly code?: unknown
  readonly details?: unknown
}

/** Answer or failure, not told apart by class: a framework may have put one of its own in the place of `Response`. */
function outcomeOf(asking: Promise<Response>) {
  return asking.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  )
}

/** A server that was not given what is asked for will not have it in a second either. */
async function isFinal(response: Response): Promise<boolean> {
  if (response.status !== 503 || response.headers.has('retry-after')) return false
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Told
  return code === 'NOT_CONFIGURED'
}

async function refusalOf(response: Response): Promise<HarvestmanError> {
  return refused(response, (await response.json().catch(() => ({}))) as Told)
}

function refused({ status, headers }: Response, { error, code, details }: Told): HarvestmanError {
  const message = typeof error === 'string' ? error : `The server answered with status ${status}.`
  return new HarvestmanError(message, {
    status,
    code: typeof code === 'string' ? code : undefined,
    details,
    requestId: headers.get('x-request-id') ?? undefined,
  })
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw new HarvestmanError('The answer is not JSON. Is this the address of a Harvestman server?', {
      status: response.status,
      code: 'BAD_ANSWER',
      cause,
    })
  }
}

function pauseAfter(tries: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter)
  if (retryAfter !== null && Number.isFinite(seconds)) return Math.min(seconds * 1_000, longestPause)
  // Spread, so that clients that were turned away together do not come again together.
  return Math.min(firstPause * 2 ** tries * (0.5 + Math.random()), longestPause)
}

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
