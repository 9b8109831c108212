/** Sends a request to the HTTP API: `fetch`, or the handler that `createApi` returns. */
export type Ask = (request: Request) => Promise<Response>

/** The client method that tools use. */
export interface ClientOfServer {
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Base URL of requests that do not leave this process. */
export const thisProcess = 'http://127.0.0.1'

/** Returns a function that sends requests through a client, which replaces the base URL by its own. */
export function askThrough(client: ClientOfServer): Ask {
  return (request) => {
    const { pathname, search } = new URL(request.url)
    return client.fetch(pathname + search, request)
  }
}

/** HTTP methods of the API. */
export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface WebApi {
  /** Sends a request of any method; the body is sent as JSON. */
  call<T>(method: ApiMethod, path: string, body: object | undefined, signal?: AbortSignal): Promise<T>
  get<T>(path: string, signal?: AbortSignal): Promise<T>
  /** Like `get`, but returns a body with `success: false` instead of throwing, for the status of jobs that may have failed. */
  getState<T>(path: string, signal?: AbortSignal): Promise<T>
  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T>
  /** Sends a form that may contain a file. */
  postForm<T>(path: string, form: FormData, signal?: AbortSignal): Promise<T>
  delete<T>(path: string, signal?: AbortSignal): Promise<T>
  /** Downloads the file at a URL in a response. */
  file(address: string, signal?: AbortSignal): Promise<FileOfApi>
}

/** A screenshot or another file of the server. */
export interface FileOfApi {
  readonly bytes: Uint8Array
  readonly type: string
}

/** Path of files. Only their id is taken from URLs, because the server's public host may differ from the one used here. */
const filesPath = '/v2/files/'

/** Error response of the API, with a message that a model can act on. */
export class ApiRefusal extends Error {
  readonly code: string
  readonly status: number
  /** What the page needs, such as `second_factor`, if the server knows. */
  readonly signal: string | undefined
  constructor(code: string, message: string, status: number, signal?: string) {
    super(message)
    this.code = code
    this.status = status
    this.signal = signal
  }
}

export interface WebApiOptions {
  readonly ask: Ask
  /** Base URL of the API; a placeholder if no request leaves the process. */
  readonly url: string
  readonly authorization: string | undefined
}

/**
 * Creates the access to the HTTP API. It rejects with an `ApiRefusal` for error responses, and for results whose `success` is
 * false, except that `getState` resolves to the state of a failed job. Errors of `ask` are passed on. `file` sends no key.
 */
export function webApi({ ask, url, authorization }: WebApiOptions): WebApi {
  const base = url.replace(/\/$/, '')
  const send = async <T>(
    method: string,
    path: string,
    body: object | FormData | undefined,
    signal: AbortSignal | undefined,
    mayTellFailure = false,
  ): Promise<T> => {
    const request = new Request(base + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const response = await ask(request)
    const answer = (await response.json().catch(() => ({}))) as {
      readonly success?: boolean
      readonly error?: string
      readonly code?: string
      readonly details?: unknown
    }
    if (response.ok && (answer.success !== false || mayTellFailure)) return answer as T
    const message = [answer.error ?? `The server answered ${response.status}.`, ...problemsOf(answer.details)].join(' ')
    throw new ApiRefusal(answer.code ?? `STATUS_${response.status}`, message, response.status, signalIn(answer.details))
  }
  return {
    call: (method, path, body, signal) => send(method, path, body, signal),
    get: (path, signal) => send('GET', path, undefined, signal),
    getState: (path, signal) => send('GET', path, undefined, signal, true),
    post: (path, body, signal) => send('POST', path, body, signal),
    postForm: (path, form, signal) => send('POST', path, form, signal),
    delete: (path, signal) => send('DELETE', path, undefined, signal),
    file: async (address, signal) => {
      const id = new URL(address).pathname.split('/').at(-1) ?? ''
      const response = await ask(new Request(base + filesPath + id, signal && { signal }))
      if (!response.ok) throw new ApiRefusal('FILE_GONE', 'The screenshot is no longer there.', response.status)
      const type = response.headers.get('content-type') ?? 'application/octet-stream'
      return { bytes: new Uint8Array(await response.arrayBuffer()), type }
    },
  }
}

function signalIn(details: unknown): string | undefined {
  const signal = typeof details === 'object' && details !== null && 'signal' in details ? details.signal : undefined
  return typeof signal === 'string' ? signal : undefined
}

/** Returns a sentence for each invalid option, so that the model can correct its next call. */
function problemsOf(details: unknown): readonly string[] {
  if (!Array.isArray(details)) return []
  return (details as readonly { readonly message?: unknown; readonly path?: unknown }[]).flatMap(({ message, path }) =>
    typeof message !== 'string'
      ? []
      : [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message],
  )
}
