import type { IncomingMessage, ServerResponse } from 'node:http'

/** One case of the site. */
export interface Route {
  /** A part that begins with `:` takes any text. */
  readonly path: string
  /** What a visitor meets, in a sentence. */
  readonly about: string
  readonly handle: (visit: Visit) => unknown
}

/** A request to the site. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  /** What stands in the place of each `:name` of the path. */
  readonly parts: Readonly<Record<string, string>>
  readonly site: SiteState
}

/** What all cases of one site share. */
export interface SiteState {
  /** The origin that was visited, as the visitor named it. */
  originOf(request: IncomingMessage): string
  /** Another origin that shows the same site. */
  readonly other: () => string
  /** How many pages the part for crawlers has. */
  readonly pages: number
  /** Counts up from 1, for each name. */
  count(name: string): number
  /** Waits, but not longer than the site lives. */
  wait(ms: number): Promise<void>
}

/** Answers with a text and the right length. */
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

/** Status and headers of an answer. */
export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export const html = 'text/html; charset=utf-8'

/** Answers with a small page. */
export function answerPage(visit: Visit, title: string, content: string, options?: AnswerOptions): void {
  answer(visit, html, page(title, content), options)
}

export function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`
}

/** Answers with JSON. */
export function answerJson(visit: Visit, value: unknown, options?: AnswerOptions): void {
  answer(visit, 'application/json', JSON.stringify(value, undefined, 2), options)
}

/** Writes bytes that no server would: the answer is all of it, the status line too. */
export function answerRaw(
  { response }: Visit,
  bytes: string | Uint8Array,
  then: 'end' | 'reset' | 'stay' = 'end',
): void {
  const { socket } = response
  if (!socket) return
  socket.write(bytes, () => {
    if (then === 'end') socket.end()
    if (then === 'reset') socket.resetAndDestroy()
  })
}

/** A number from the query of the address. */
export function numberOf({ url }: Visit, name: string, usual: number): number {
  const given = Number(url.searchParams.get(name) ?? usual)
  return Number.isFinite(given) && given >= 0 ? given : usual
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
