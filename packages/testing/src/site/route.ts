import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** One case of the site. */
export interface Route {
  /** A segment that begins with `:` matches any string. */
  readonly path: string
  /** One sentence that describes the response. */
  readonly about: string
  readonly handle: (visit: Visit) => unknown
}

/** A request to the site. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  /** The values of each `:name` in the path. */
  readonly parts: Readonly<Record<string, string>>
  readonly site: SiteState
}

/** State shared by all cases of one site. */
export interface SiteState {
  /** Returns the origin of a request, as the visitor wrote it. */
  originOf(request: IncomingMessage): string
  /** Returns another origin with the same site. */
  readonly other: () => string
  /** Number of pages in the section for crawlers. */
  readonly pages: number
  /** Counts up from 1, separately for each name. */
  count(name: string): number
  /** Waits, but no longer than until the site is closed. */
  wait(ms: number): Promise<void>
}

/** Responds with a body and its correct length. Requests with HEAD get no body. */
export function answer(
  { request, response }: Visit,
  type: string,
  body: string | Uint8Array,
  { status = 200, headers = {} }: AnswerOptions = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** Status and headers of a response. */
export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export const html = 'text/html; charset=utf-8'

/** Responds with a small page. */
export function answerPage(visit: Visit, title: string, content: string, options?: AnswerOptions): void {
  answer(visit, html, page(title, content), options)
}

/** Returns the HTML of a small page. The title and the content are not escaped. */
export function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`
}

/** Responds with JSON. */
export function answerJson(visit: Visit, value: unknown, options?: AnswerOptions): void {
  answer(visit, 'application/json', JSON.stringify(value, undefined, 2), options)
}

/**
 * Writes raw bytes to the connection, including the status line, so that a response can be malformed. Then ends the connection,
 * or resets it, or leaves it open with `stay`.
 */
export function answerRaw(
  { response }: Visit,
  bytes: string | Uint8Array,
  then: 'end' | 'reset' | 'stay' = 'end',
): void {
  const { socket } = response
  if (!socket) return
  socket.write(bytes, () => {
    if (then === 'end') socket.end()
    if (then === 'reset') reset(socket)
  })
}

/** Returns a number from the query of the URL, or the default if it is missing, negative or not a number. */
export function numberOf({ url }: Visit, name: string, usual: number): number {
  const parsed = Number(url.searchParams.get(name) ?? usual)
  return Number.isFinite(parsed) && parsed >= 0 ? parsed : usual
}

/** Escapes text for HTML and for double-quoted attributes. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Ends a connection without a proper end. Over TLS there is no reset, so its end is missing. */
export function reset(socket: Socket | null): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket?.resetAndDestroy()
}
