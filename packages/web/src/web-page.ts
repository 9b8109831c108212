import { isForLoopback, type Handler } from '@harvestman/http'

import { loadAssets, type Asset } from './assets.ts'
import { pageHeaders, previewHeaders } from './policy.ts'
import { makePreviews } from './previews.ts'
import { makeSessions, perMinute, sessionSeconds } from './sessions.ts'

export interface WebPageOptions {
  /** The path that the server is mounted under, without a slash at its end. */
  readonly basePath?: string | undefined
}

const cookieName = 'harvestman'
const loginsPerMinute = 10
const mostPreview = 8 * 1_048_576
const mostLogin = 4_096

/**
 * Puts the web page before an API: `/` shows it to browsers, programs go on getting JSON. Logging in with a key gives a
 * cookie that scripts cannot read, and that only requests of the page itself may use.
 */
export async function withWebPage(handle: Handler, { basePath = '' }: WebPageOptions = {}): Promise<Handler> {
  const assets = await loadAssets()
  const sessions = makeSessions()
  const previews = makePreviews()
  const mayTry = perMinute(loginsPerMinute)

  const logIn = async (request: Request): Promise<Response> => {
    if (!isFromPage(request)) return refuse(403, 'Log in from the page itself.')
    if (!mayTry()) return refuse(429, 'Too many tries. Wait a minute, then try again.', { 'retry-after': '60' })
    const { key } = (await readJson(request, mostLogin)) as { readonly key?: unknown }
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(key)) return refuse(400, 'key: write an API key.')
    const probe = new Request(new URL(`${basePath}/v2/crawl/active`, request.url), {
      headers: { authorization: `Bearer ${key}` },
    })
    const { status } = await handle(probe)
    if (status === 401) return refuse(401, 'This key is not known. Check it for missing characters.')
    const isSafe = (request.headers.get('x-forwarded-proto') ?? new URL(request.url).protocol).startsWith('https')
    return json(200, { success: true }, { 'set-cookie': cookieOf(sessions.open(key), sessionSeconds, isSafe) })
  }

  const logOut = (request: Request): Response => {
    if (!isFromPage(request)) return refuse(403, 'Log out from the page itself.')
    const cookie = cookieIn(request)
    if (cookie !== undefined) sessions.close(cookie)
    return json(200, { success: true }, { 'set-cookie': cookieOf('', 0, false) })
  }

  const keepPreview = async (request: Request): Promise<Response> => {
    if (!isFromPage(request)) return refuse(403, 'Previews are made by the page itself.')
    if (!handle.isOpen && keyFor(request) === undefined) return refuse(401, 'Log in first.')
    const html = await readText(request, mostPreview)
    return json(200, { success: true, path: `ui/preview/${previews.keep(html)}` })
  }

  const showPreview = (id: string): Response => {
    const html = previews.take(id)
    return html === undefined
      ? refuse(404, 'This preview was shown already.')
      : new Response(html, { headers: previewHeaders })
  }

  /** The key of the person who is logged in, for requests that the page itself made. */
  const keyFor = (request: Request): string | undefined => {
    const cookie = cookieIn(request)
    return cookie === undefined || !isFromPage(request) ? undefined : sessions.keyOf(cookie)
  }

  const session = (request: Request): Response =>
    json(200, {
      success: true,
      isOpen: handle.isOpen === true,
      isIn: handle.isOpen === true || keyFor(request) !== undefined,
    })

  const own = (request: Request, path: string): Promise<Response> | Response | undefined => {
    const { method } = request
    if (method === 'GET' || method === 'HEAD') {
      if (path === '/' && prefersHtml(request)) return assetAnswer(request, assets.get('index.html'), pageHeaders)
      if (path.startsWith('/ui/assets/')) return assetAnswer(request, assets.get(path.slice(1)), lasting)
      if (path === '/ui/session') return session(request)
      if (path.startsWith('/ui/preview/')) return showPreview(path.slice('/ui/preview/'.length))
    }
    if (method !== 'POST') return undefined
    if (path === '/ui/login') return logIn(request)
    if (path === '/ui/logout') return logOut(request)
    return path === '/ui/preview' ? keepPreview(request) : undefined
  }

  const answer: Handler = async (request, transport) => {
    // The API itself says why it does not answer those who come from elsewhere.
    if (handle.isOpen && !isForLoopback(request)) return handle(request, transport)
    const path = new URL(request.url).pathname.slice(basePath.length)
    const page = await own(request, path)
    if (page) return page
    const key = request.headers.has('authorization') ? undefined : keyFor(request)
    if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`)
    return handle(request, transport)
  }
  const { watch } = handle
  return Object.assign(answer, {
    isOpen: handle.isOpen ?? true,
    ...(watch && {
      watch: (request: Request) => {
        const key = request.headers.has('authorization') ? undefined : keyFor(request)
        if (key === undefined) return watch(request)
        const headers = new Headers(request.headers)
        headers.set('authorization', `Bearer ${key}`)
        headers.delete('origin')
        return watch(new Request(request.url, { headers }))
      },
    }),
  })
}

const lasting = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' }

function assetAnswer(request: Request, asset: Asset | undefined, headers: Readonly<Record<string, string>>): Response {
  if (!asset) return refuse(404, 'There is no such file. Load the page again.')
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : undefined
  const body = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      'cache-control': 'no-cache',
      ...headers,
      'content-type': asset.type,
      vary: 'accept, accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  })
}

/** Browsers ask for HTML by name; programs that take anything get what they got before. */
function prefersHtml({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html')
}

/** Whether the page itself sends this, and not another page in the same browser. */
function isFromPage(request: Request): boolean {
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

function cookieIn({ headers }: Request): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

function cookieOf(value: string, seconds: number, isSafe: boolean): string {
  return `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSafe ? '; Secure' : ''}`
}

async function readText(request: Request, most: number): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of request.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > most) return text.slice(0, most)
  }
  return text
}

async function readJson(request: Request, most: number): Promise<object> {
  try {
    const value: unknown = JSON.parse(await readText(request, most))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function json(status: number, value: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  })
}

function refuse(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return json(status, { success: false, error }, headers)
}
