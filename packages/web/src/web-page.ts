import { isForLoopback, type Handler, type Transport } from '@harvestman/http'

import { loadAssets } from './assets.ts'
import { makeExamination, type Finding } from './examination.ts'
import { showLimits, type Limit } from './limits.ts'
import { makeLogin, type Login } from './login.ts'
import { pageHeaders, previewHeaders } from './policy.ts'
import { makePreviews } from './previews.ts'
import { assetAnswer, isFromPage, json, prefersHtml, readText, refuse } from './requests.ts'

/** Options of the web page. */
export interface WebPageOptions {
  /**
   * Checks the server for the status view, for the operator only: on localhost or with the admin key. Without it the view has
   * no findings.
   */
  readonly doctor?: (() => Promise<readonly Finding[]>) | undefined
  /** Returns the limits of the server with their settings, for the status view. */
  readonly limits?: (() => readonly Limit[]) | undefined
  /** Mount path of the server, without a trailing slash. */
  readonly basePath?: string | undefined
}

const maxPreview = 8 * 1_048_576
const lasting = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' }

/**
 * Adds the web page to an API: `/` serves it to browsers, while other clients still get JSON. Logging in with a key
 * sets a cookie that scripts cannot read and that only requests of the page itself may use. Rejects if the files of
 * the page are missing.
 */
export async function withWebPage(
  handle: Handler,
  { basePath = '', doctor, limits = () => [] }: WebPageOptions = {},
): Promise<Handler> {
  const login = makeLogin(handle, basePath)
  const examine = makeExamination(handle, basePath, doctor)
  const answerOfPage = await pageAnswers(login, examine, limits)
  const answer: Handler = async (request, transport) => {
    // The API itself explains why it rejects remote callers.
    if (handle.isOpen && !isForLoopback(request)) return handle(request, transport)
    for (const path of possiblePaths(new URL(request.url).pathname, basePath)) {
      const page = await answerOfPage(request, path, transport)
      if (page) return page
    }
    const key = request.headers.has('authorization') ? undefined : login.keyFor(request)
    if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`)
    // The page has the server's own origin, and `isFromPage` has already done the origin check.
    if (isFromPage(request)) request.headers.delete('origin')
    return handle(request, transport)
  }
  const { watch, onFault } = handle
  return Object.assign(answer, {
    isOpen: handle.isOpen ?? true,
    ...(onFault && { onFault }),
    ...(watch && {
      watch: (request: Request, transport?: Transport) => {
        const key = request.headers.has('authorization') ? undefined : login.keyFor(request)
        if (key === undefined) return watch(request, transport)
        const headers = new Headers(request.headers)
        headers.set('authorization', `Bearer ${key}`)
        headers.delete('origin')
        return watch(new Request(request.url, { headers }), transport)
      },
    }),
  })
}

/**
 * Returns the path as the framework left it, then without the mount path, which the framework may have removed already: of a
 * page at `/ui` the path `/ui/assets/x` can be either.
 */
function possiblePaths(path: string, basePath: string): readonly string[] {
  return basePath !== '' && path.startsWith(`${basePath}/`) ? [path, path.slice(basePath.length)] : [path]
}

/** Returns the handler for files of the page and its endpoints outside of the API. It returns `undefined` for other paths. */
async function pageAnswers(
  login: Login,
  examine: (request: Request) => Promise<Response>,
  limits: () => readonly Limit[],
): Promise<(request: Request, path: string, transport?: Transport) => Promise<Response> | Response | undefined> {
  const assets = await loadAssets()
  const previews = makePreviews()

  const keepPreview = async (request: Request): Promise<Response> => {
    if (!isFromPage(request)) return refuse(403, 'Previews are made by the page itself.')
    if (!login.isIn(request)) return refuse(401, 'Log in first.')
    const html = await readText(request, maxPreview)
    if (html === undefined)
      return refuse(413, `The page has more than ${maxPreview} characters. Save it as a file instead.`)
    return json(200, { success: true, path: `ui/preview/${previews.keep(html)}` })
  }

  const showPreview = (id: string): Response => {
    const html = previews.take(id)
    return html === undefined
      ? refuse(404, 'This preview was shown already.')
      : new Response(html, { headers: previewHeaders })
  }

  return (request, path, transport) => {
    const { method } = request
    if (method === 'GET' || method === 'HEAD') {
      if (path === '/' && prefersHtml(request)) return assetAnswer(request, assets.get('index.html'), pageHeaders)
      if (path.startsWith('/ui/assets/')) return assetAnswer(request, assets.get(path.slice(1)), lasting)
      if (path === '/ui/session') return login.show(request)
      if (path === '/ui/limits') return showLimits(login.isIn(request), limits)
      if (path.startsWith('/ui/preview/')) return showPreview(path.slice('/ui/preview/'.length))
    }
    if (method !== 'POST') return undefined
    if (path === '/ui/login') return login.logIn(request, transport)
    if (path === '/ui/logout') return login.logOut(request)
    if (path === '/ui/status') return examine(request)
    return path === '/ui/preview' ? keepPreview(request) : undefined
  }
}
