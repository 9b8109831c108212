import { EngineError, type Json } from '@harvestman/ports'

import type { Protocol } from '../lib/cdp.ts'
import { isDoneWithin } from '../lib/race.ts'
import type { View } from './view.ts'

/** The saved state of a profile. */
interface State {
  readonly cookies: readonly Json[]
  /** Local storage by origin. */
  readonly storage: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A page that takes commands of the protocol. */
interface Commanded {
  send(method: 'Page.getFrameTree'): Promise<object>
  send(method: 'Page.createIsolatedWorld', params: { readonly frameId: string }): Promise<object>
  send(method: 'Runtime.evaluate', params: Protocol.Runtime.EvaluateRequest): Promise<object>
}

const maxBytes = 5_000_000
/**
 * Timeout in milliseconds for reading the storage of the current page. If the page does not respond, the cookies are saved
 * anyway.
 */
const readsWithin = 2_000

/**
 * Returns the cookies of all sites, and the local storage of the page's origin and of `before`; for the same origin, the page
 * takes precedence. The storage of a page that does not respond within 2 seconds is omitted. Rejects with `response_too_large`
 * above 5,000,000 characters of JSON.
 */
export async function saveState(
  { place: { running, contextId } }: Pick<View, 'place'>,
  page: () => Promise<Commanded>,
  before: Json | undefined,
): Promise<Json> {
  const { cookies } = await running.connection.send('Storage.getCookies', { browserContextId: contextId })
  const { storage: known = {} } = readState(before)
  let here: State['storage'] = {}
  await isDoneWithin(
    readsWithin,
    storageOf(page).then((found) => (here = found)),
  )
  // Cast: cookies of the protocol are plain JSON.
  const state = { cookies: cookies as unknown as Json[], storage: { ...known, ...here } }
  if (JSON.stringify(state).length > maxBytes)
    throw new EngineError(
      'response_too_large',
      `The profile is larger than the limit of ${maxBytes} bytes. Clear the storage of its pages.`,
    )
  return state
}

/** Reads the storage in an isolated world, where the page cannot replace functions and so claim another origin. */
async function storageOf(page: () => Promise<Commanded>): Promise<State['storage']> {
  try {
    const session = await page()
    const { frameTree } = (await session.send('Page.getFrameTree')) as Protocol.Page.GetFrameTreeResponse
    const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
    const { executionContextId: contextId } = world as Protocol.Page.CreateIsolatedWorldResponse
    const expression = 'JSON.stringify([location.origin, { ...localStorage }])'
    const evaluated = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
    const { result } = evaluated as Protocol.Runtime.EvaluateResponse
    const [origin, items] = JSON.parse(String(result.value)) as [string, Record<string, string>]
    return /^https?:/.test(origin) ? { [origin]: items } : {}
  } catch {
    // Some pages have no storage.
    return {}
  }
}

/**
 * Restores a state: cookies immediately, and the local storage of each origin when one of its pages is opened. Values that a
 * page has already stored are not replaced. An absent state changes nothing. Rejects if the browser fails.
 */
export async function bringState({ place, session }: View, state: Json | undefined): Promise<void> {
  const { cookies = [], storage = {} } = readState(state)
  if (cookies.length > 0) await setCookies(place, cookies.map(toSet))
  if (Object.keys(storage).length === 0) return
  const source = `{
    const stored = ${JSON.stringify(storage)}[location.origin]
    try {
      if (stored) {
        for (const [name, value] of Object.entries(stored)) if (localStorage.getItem(name) === null) localStorage.setItem(name, value)
      }
    } catch {}
  }`
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source })
}

/** Sets cookies. Omits cookies that the browser refuses; only imported ones can be such. */
async function setCookies(
  { running: { connection }, contextId: browserContextId }: View['place'],
  cookies: Protocol.Network.CookieParam[],
): Promise<void> {
  const set = (some: Protocol.Network.CookieParam[]) =>
    connection.send('Storage.setCookies', { browserContextId, cookies: some })
  try {
    await set(cookies)
  } catch {
    const results = await Promise.allSettled(cookies.map((cookie) => set([cookie])))
    const refused = results.filter(({ status }) => status === 'rejected')
    // The browser failed, not a cookie.
    if (refused.length === cookies.length && cookies.length > 1) throw (refused[0] as PromiseRejectedResult).reason
  }
}

function readState(state: Json | undefined): Partial<State> {
  return state !== null && typeof state === 'object' && !Array.isArray(state) ? (state as Partial<State>) : {}
}

const settable =
  'name value domain path secure httpOnly sameSite expires priority sourceScheme sourcePort partitionKey'.split(' ')

function toSet(cookie: Json): Protocol.Network.CookieParam {
  const values = cookie as Readonly<Record<string, Json | undefined>>
  const known = Object.fromEntries(
    settable
      .filter((name) => values[name] !== undefined && !(name === 'expires' && Number(values[name]) < 0))
      .map((name) => [name, values[name]]),
  )
  // Cast: the cookies were read from a browser.
  return known as unknown as Protocol.Network.CookieParam
}
