import { makeForwarded, type Handler, type Transport } from '@harvestman/http'

import { ownVersion } from './own-version.ts'
import { cookieIn, cookieOf, isFromPage, json, readJson, refuse } from './requests.ts'
import { makeSessions, sessionSeconds } from './sessions.ts'
import { counterOf, makeTries } from './tries.ts'

const wrongPerMinute = 10
const maxLogin = 4_096

/** Login state of the page. */
export interface Login {
  logIn(request: Request, transport?: Transport): Promise<Response>
  logOut(request: Request): Response
  show(request: Request): Response
  isIn(request: Request): boolean
  /** Returns the API key of the logged-in user, for requests that the page itself made. */
  keyFor(request: Request): string | undefined
}

/**
 * Creates the login of the page: a valid key opens a session, whose cookie replaces the key in later requests. A wrong key gets
 * 401; after 10 wrong keys in a minute, a caller gets 429. If the API cannot check the key, its error is returned. Requests that
 * are not from the page get 403.
 */
export function makeLogin(handle: Handler, basePath: string): Login {
  const sessions = makeSessions()
  const tries = makeTries(wrongPerMinute)
  const { forwarded = makeForwarded(false) } = handle
  const keyFor = (request: Request): string | undefined => {
    const cookie = cookieIn(request)
    return cookie === undefined || !isFromPage(request) ? undefined : sessions.keyOf(cookie)
  }
  const isIn = (request: Request): boolean => handle.isOpen === true || keyFor(request) !== undefined

  return {
    keyFor,
    isIn,
    show: (request) => {
      const known = { success: true, isOpen: handle.isOpen === true, isIn: isIn(request) }
      return json(200, known.isIn ? { ...known, version: ownVersion() } : known)
    },
    logIn: async (request, transport) => {
      if (!isFromPage(request)) return refuse(403, 'Log in from the page itself.')
      const { key } = (await readJson(request, maxLogin)) as { readonly key?: unknown }
      if (typeof key !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(key)) return refuse(400, 'key: write an API key.')
      const { caller, scheme = new URL(request.url).protocol } = forwarded(request, transport?.peer)
      const takeBack = tries.begin(counterOf(caller))
      if (!takeBack) return refuse(429, 'Too many wrong keys. Wait a minute, then try again.', { 'retry-after': '60' })
      // This endpoint needs a key, but no scope and no rate.
      const probe = new Request(new URL(`${basePath}/v2/kinds`, request.url), {
        headers: { authorization: `Bearer ${key}` },
      })
      const checked = await handle(probe)
      if (checked.status === 401) return refuse(401, 'This key is not known. Check it for missing characters.')
      takeBack()
      if (!checked.ok) return checked
      const isSafe = scheme.startsWith('https')
      return json(200, { success: true }, { 'set-cookie': cookieOf(sessions.open(key), sessionSeconds, isSafe) })
    },
    logOut: (request) => {
      if (!isFromPage(request)) return refuse(403, 'Log out from the page itself.')
      const cookie = cookieIn(request)
      if (cookie !== undefined) sessions.close(cookie)
      return json(200, { success: true }, { 'set-cookie': cookieOf('', 0, false) })
    },
  }
}
