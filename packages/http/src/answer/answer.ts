import { jsonOnce, jsonPieces } from '@harvestman/ports/adapters'

/** An answer before it is a `Response`: a server may write it to its socket as it stands. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | undefined
  /** The stream comes to an end by itself, so a server that closes lets it. One cut short would look like a whole. */
  readonly hasEnd?: boolean
  /** Called when all of it was sent, and the body is not needed any more. */
  readonly sent?: (() => void) | undefined
}

/** Texts or bytes that are sent as they come. */
export type BodyStream = AsyncGenerator<string | Uint8Array>

/** A text, bytes, pieces that are sent one after the other, or a stream whose end is not known yet. */
export type Body = string | Uint8Array<ArrayBuffer> | readonly Uint8Array[] | BodyStream

/** Abilities of a server for the answers of one request. */
export interface Transport {
  /** Writes the answer itself, and gives the `Response` that says so. */
  readonly send?: (answer: Answer) => Response
  /** The path under which a framework has mounted the API, when it has cut it from the address of the request. */
  readonly base?: string | undefined
  /** The address that the connection comes from: of the caller, or of a proxy between. */
  readonly peer?: string | undefined
  /** Aborted when the caller has gone, or as `cut` is; that of the request, when absent. */
  readonly signal?: AbortSignal | undefined
  /** Aborted when the server ends and waits no longer: what still runs is cut short, and its caller may try again. */
  readonly cut?: AbortSignal | undefined
}

/** Says what kept a request from being carried out. */
export interface Refusal {
  readonly status: number
  /** Absent where the public API has none. */
  readonly code?: string
  readonly error: string
  readonly details?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

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

export function isPieces(body: Body): body is readonly Uint8Array[] {
  return Array.isArray(body)
}

// Answers hold what one team asked for, so nothing on the way may keep them, and no browser may take them for a page.
export const always = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A JSON answer. The value is printed once, here. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>>): Answer {
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(value) }
}

/** The same for what may be large: it is printed a little in each turn, and what is kept of it was printed already. */
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

export function textAnswer(text: string, headers: Answer['headers']): Answer {
  return { status: 200, headers: { ...always, ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: text }
}
