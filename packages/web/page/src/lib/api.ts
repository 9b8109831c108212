import { signal } from '@preact/signals'

import { addressOf } from './address.ts'

/** An error response of the server. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly details: unknown
}

/** Whether the user is logged in; `undefined` until the server has responded once. */
export const access = signal<Access | undefined>(undefined)

interface Access {
  readonly isIn: boolean
  readonly isOpen: boolean
  /** The version of the server, for logged-in users. */
  readonly version?: string
}

/** Whether the server is reachable. Polls are retried while the connection is lost. */
export const connection = signal<'good' | 'lost'>('good')

export interface Call {
  readonly method?: string
  readonly body?: unknown
  /** Sent instead of a JSON body. */
  readonly form?: FormData | undefined
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** True if a body with `success: false` is a valid response that the caller shows itself. */
  readonly mayTellFailure?: boolean
}

class CallFailed extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Calls the API. Every failure is thrown as `CallFailed`. */
export async function call<T>(path: string, asked: Call = {}): Promise<T> {
  const { method = 'GET', body, form, signal, headers, mayTellFailure = false } = asked
  const response = await send(path, {
    method,
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      'x-harvestman-ui': '1',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(form ? { body: form } : body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
  if (response.ok && (answer['success'] !== false || mayTellFailure)) return answer as T
  throw refused(response, answer, headers?.['authorization'] !== undefined)
}

/** Calls the API for a response that is not JSON, such as JSON lines. */
export async function callText(path: string, signal?: AbortSignal): Promise<string> {
  const response = await send(path, { signal: signal ?? null, headers: { 'x-harvestman-ui': '1' } })
  if (response.ok) return response.text()
  throw refused(response, (await response.json().catch(() => ({}))) as Record<string, unknown>, false)
}

function refused(response: Response, answer: Readonly<Record<string, unknown>>, hasOwnKey: boolean): CallFailed {
  const { error, code, details } = answer
  // A rejected key of this call does not mean that the session has ended.
  if (response.status === 401 && !hasOwnKey && access.value) access.value = { ...access.value, isIn: false }
  return new CallFailed({
    status: response.status,
    message: typeof error === 'string' ? error : `The server responded with status ${response.status}.`,
    code: typeof code === 'string' ? code : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    details,
  })
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(addressOf(path), init)
    connection.value = 'good'
    return response
  } catch (error) {
    if (init.signal?.aborted) throw error
    connection.value = 'lost'
    throw new CallFailed({
      status: 0,
      message: 'The server does not respond. Is it running?',
      code: undefined,
      requestId: undefined,
      details: undefined,
    })
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof CallFailed) return error.refusal
  const message = error instanceof Error ? error.message : String(error)
  return { status: 0, message, code: undefined, requestId: undefined, details: undefined }
}

export async function askAccess(): Promise<void> {
  access.value = await call<Access>('ui/session')
}
