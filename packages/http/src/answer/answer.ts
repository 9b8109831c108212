import { jsonOnce, jsonPieces } from '@harvestman/ports/values'

/** A response before it becomes a `Response` object, so that a server can write it to its socket directly. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | undefined
  /** True for a stream that ends by itself. A closing server lets it finish, since a truncated body would look complete. */
  readonly hasEnd?: boolean
  /** Called once everything was sent and the body is no longer needed. */
  readonly sent?: (() => void) | undefined
}

/** Strings or bytes that are sent as they are produced. */
export type BodyStream = AsyncGenerator<string | Uint8Array>

/** A string, bytes, chunks that are sent in order, or a stream of unknown length. */
export type Body = string | Uint8Array<ArrayBuffer> | readonly Uint8Array[] | BodyStream

/** Server capabilities for one request. */
export interface Transport {
  /** Writes the response itself and returns a placeholder `Response`. */
  readonly send?: (answer: Answer) => Response
  /** The mount path of the API, if the framework has stripped it from the request URL. */
  readonly base?: string | undefined
  /** IP address of the other end of the connection: the caller or a proxy. */
  readonly peer?: string | undefined
  /** Aborted when the caller disconnects or `cut` is aborted. Default: the request's own signal. */
  readonly signal?: AbortSignal | undefined
  /** Aborted when the server's grace period ends: running work stops, and its caller may retry. */
  readonly cut?: AbortSignal | undefined
}

/** An error response: why a request was not carried out. */
export interface Refusal {
  readonly status: number
  /** Absent if the public API has no code for this error. */
  readonly code?: string
  readonly error: string
  readonly details?: unknown
  /** Further short properties of the body. */
  readonly topLevel?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Converts the result of a route to a `Response`. With `isHead`, it has no body. Does not call `sent`. */
export function toResponse({ status, headers, body }: Answer, isHead = false): Response {
  return new Response(body === undefined || isHead ? null : toBody(body), { status, headers })
}

function toBody(body: Body): string | Uint8Array<ArrayBuffer> | Blob | ReadableStream {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (isPieces(body)) return new Blob(body as readonly Uint8Array<ArrayBuffer>[] as Uint8Array<ArrayBuffer>[])
  return ReadableStream.from(inBytes(body))
}

const encoder = new TextEncoder()

async function* inBytes(stream: BodyStream): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) yield typeof piece === 'string' ? encoder.encode(piece) : piece
}

/** Returns whether a body is a list of chunks, not a string, bytes or a stream. */
export function isPieces(body: Body): body is readonly Uint8Array[] {
  return Array.isArray(body)
}

// Responses contain data of one team: no cache may store them, and no browser may interpret them as HTML.
export const always = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * Returns a JSON response that must not be cached. Headers that are passed replace the standard ones. Throws as
 * `JSON.stringify` does, such as for a cycle.
 */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>>): Answer {
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(value) }
}

/**
 * Returns a JSON response for a large value. Serializes it in small steps so that the event loop stays responsive, and reuses
 * JSON that is already encoded. Headers that are passed replace the standard ones. Rejects as `JSON.stringify` throws, such as
 * for a cycle.
 */
export async function largeAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  if (typeof value !== 'object' || value === null) return jsonAnswer(status, value, headers)
  const body = await (isSuccess(value) ? successBody(value.data) : jsonPieces(value))
  return { status, headers: { ...always, ...headers }, body }
}

const successHead = '{"success":true,"data":'

function successBody(data: object): string | Promise<readonly Uint8Array[]> {
  const json = jsonOnce(data)
  if (typeof json === 'string') return `${successHead}${json}}`
  return json.then((pieces) => [Buffer.from(successHead), ...pieces, Buffer.from('}')])
}

function isSuccess(value: object): value is { readonly success: true; readonly data: object } {
  if (!('success' in value) || !('data' in value)) return false
  return (
    value.success === true && typeof value.data === 'object' && value.data !== null && Object.keys(value).length === 2
  )
}

/**
 * Returns a plain text response with status 200. Headers that are passed replace the standard ones, except the content type.
 */
export function textAnswer(text: string, headers: Answer['headers']): Answer {
  return { status: 200, headers: { ...always, ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: text }
}
