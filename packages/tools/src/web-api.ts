/** Sends a request to the web API: `fetch` with a key, or the function that `createApi` made. */
export type Ask = (request: Request) => Promise<Response>

/** The part of the typed client that tools use. */
export interface ClientOfServer {
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** The address of a server whose requests do not leave this process. */
export const thisProcess = 'http://127.0.0.1'

/** Asks through a client, which knows where its server is. */
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
  /** The same for a promise that may have failed: the failure is returned, not thrown. */
  getState<T>(path: string, signal?: AbortSignal): Promise<T>
  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T>
  /** Sends a form, with a file in it. */
  postForm<T>(path: string, form: FormData, signal?: AbortSignal): Promise<T>
  delete<T>(path: string, signal?: AbortSignal): Promise<T>
  /** The bytes of a file that an answer names by its address. */
  file(address: string, signal?: AbortSignal): Promise<FileOfApi>
}

/** A screenshot or another file of the server. */
export interface FileOfApi {
  readonly bytes: Uint8Array
  readonly type: string
}

/** Where the API has its files: under the public address of the server too, which may not be the one that is asked here. */
const filesPath = '/v2/files/'

/** What the API said instead of an answer, in words a model can act on. */
export class ApiRefusal extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface WebApiOptions {
  readonly ask: Ask
  /** The address of the API; made up where no request leaves the process. */
  readonly url: string
  readonly authorization: string | undefined
}

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
    throw new ApiRefusal(answer.code ?? `STATUS_${response.status}`, message, response.status)
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

/** What is wrong with which option, so that the next call has it right. */
function problemsOf(details: unknown): readonly string[] {
  if (!Array.isArray(details)) return []
  return (details as readonly { readonly message?: unknown; readonly path?: unknown }[]).flatMap(({ message, path }) =>
    typeof message !== 'string'
      ? []
      : [Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ${message}` : message],
  )
}
