// Reads page requests and creates their responses.
import { packedResponse } from '@harvestman/http'

import type { Asset } from './assets.ts'

const cookieName = 'harvestman'

/**
 * Returns whether the request is for HTML. Browsers request HTML explicitly. Clients that accept anything still get
 * JSON.
 */
export function prefersHtml({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

/**
 * Returns whether the page itself sent this request, not another page in the same browser; other methods than GET and HEAD also
 * need the header `x-harvestman-ui: 1`. False if the request does not show its origin.
 */
export function isFromPage(request: Request): boolean {
  const { headers, method, url } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  const isOwn = site === 'same-origin' || (site === null && origin !== null && new URL(url).host === hostOf(origin))
  const isRead = method === 'GET' || method === 'HEAD'
  return isOwn && (isRead || headers.get('x-harvestman-ui') === '1')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** Returns the session cookie of a request; `undefined` without one. */
export function cookieIn({ headers }: Request): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

/** Returns the `Set-Cookie` header of a session cookie. 0 seconds deletes it; `isSafe` limits it to HTTPS. */
export function cookieOf(value: string, seconds: number, isSafe: boolean): string {
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSafe ? '; Secure' : ''}`
}

/**
 * Reads a body as text. Resolves to `undefined`, and reads no further, if it has more than `most` characters. Rejects if the
 * connection ends early.
 */
export async function readText(request: Request, most: number): Promise<string | undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of request.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > most) return undefined
  }
  text += decoder.decode()
  return text.length > most ? undefined : text
}

/**
 * Reads a JSON body of at most `most` characters and returns the object or array in it. An invalid, longer or incomplete body,
 * and any other value, is an empty object.
 */
export async function readJson(request: Request, most: number): Promise<object> {
  try {
    const value: unknown = JSON.parse((await readText(request, most)) ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Returns a JSON response that is not cached. */
export function json(status: number, value: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  })
}

/** Returns an error response. */
export function refuse(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return json(status, { success: false, error }, headers)
}

/** Returns the response with a file of the page, compressed if the request accepts it, or 404 if it does not exist. */
export async function assetAnswer(
  request: Request,
  asset: Asset | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  if (!asset) return refuse(404, 'This file does not exist. Load the page again.')
  return packedResponse(await asset(), request, { ...headers, vary: 'accept' })
}
