import { EngineError, type ErrorCode, type GotoOptions, type Landing } from '@harvestman/ports'

import { refusalHeader } from '../egress/forward.ts'
import { asBrowserFailure, browserFailed } from '../lib/errors.ts'
import { isDoneWithin, pause } from '../lib/race.ts'
import type { DocumentAnswer } from './network.ts'
import { forPages, settle } from './settle.ts'
import type { View } from './view.ts'

const answerWithin = 500
const looksEvery = 1_000

/**
 * Opens a URL and waits until the page has settled. A file is not shown but returned as `download`. Rejects with the reason,
 * such as `url_blocked`, `dns_failed` or `connection_failed`, which is also reported to the traffic recorder.
 */
export async function goTo(view: View, url: URL, signal: AbortSignal, options: GotoOptions = {}): Promise<Landing> {
  try {
    return await openPage(view, url, signal, options)
  } catch (error) {
    view.profile.traffic?.failed?.(url, error)
    throw error
  }
}

async function openPage(view: View, url: URL, signal: AbortSignal, { patience }: GotoOptions): Promise<Landing> {
  signal.throwIfAborted()
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw onlyWeb()
  view.guard.checkUrl(url)
  view.documents.home = url.origin
  view.network.forget()
  await bringCookies(view, url, signal)
  await leaveSameDocument(view, url, signal)
  const { referer } = view.profile.headers
  const work = view.session.send('Page.navigate', { url: url.href, ...(referer && { referrer: referer }) })
  const { errorText, loaderId } = await during(view, signal, view.uses > 0 ? unlessStuck(view, work) : work)
  const file = view.documents.takeFile()
  if (file) return { url: file.url, status: file.status, headers: file.headers, download: file.body }
  if (errorText) return failedOrEmpty(view, url, errorText, loaderId)
  // The response may arrive before the document is shown. Until then, scripts would run in the previous document.
  if (loaderId !== undefined) await becomesShown(view, loaderId, signal)
  const visit = view.visits
  const readiness = await settle(view, { ...forPages, ...(patience !== undefined && { patience }) }, signal)
  const landing = await landed(view, url, signal, visit === view.visits ? loaderId : undefined)
  return { ...landing, readiness }
}

const checksEvery = 25
/** Number of documents that a view had shown when its last landing was returned. */
const landings = new WeakMap<View, number>()

/**
 * Waits until the page has replaced the document of the last landing, and until the new one has settled. Returns `undefined` if
 * it stays for `ms` milliseconds. Rejects as `goTo` does.
 */
export async function leave(view: View, ms: number, signal: AbortSignal): Promise<Landing | undefined> {
  const visits = landings.get(view)
  const url = new URL(view.frames.main.url)
  const end = performance.now() + ms
  while (view.visits === visits) {
    if (performance.now() >= end) return undefined
    await pause(checksEvery, signal, view.place.broken)
  }
  const readiness = await settle(view, forPages, signal)
  return { ...(await landed(view, url, signal, undefined)), readiness }
}

/** Returns the response to the document that is shown, or the file that the page navigated to. */
async function landed(view: View, url: URL, signal: AbortSignal, loader: string | undefined): Promise<Landing> {
  // The page may have navigated to a file or a forbidden URL. The document before that is still shown.
  const late = view.documents.takeFile()
  if (late) return { url: late.url, status: late.status, headers: late.headers, download: late.body }
  if (view.documents.takeRefusal()) view.note('The page tried to open a blocked URL, and stayed on the page.')
  landings.set(view, view.visits)
  const answer = await answerOf(view, signal, loader)
  throwRefusal(view, answer, url)
  const { status, headers, latency } = answer
  return { url: view.frames.main.url, status, headers, latency }
}

async function during<T>(view: View, signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await view.during(signal, work)
  } catch (error) {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    throw asBrowserFailure(error, 'opening the page')
  }
}

/** Rejects if the previous page blocks the navigation, long before the caller's timeout. */
async function unlessStuck<T>(view: View, work: Promise<T>): Promise<T> {
  while (!(await isDoneWithin(looksEvery, work))) {
    if (!(await view.isAwake())) throw stuck()
  }
  return work
}

async function becomesShown(view: View, loader: string, signal: AbortSignal): Promise<void> {
  const isShown = await view.during(signal, isDoneWithin(answerWithin, view.frames.shown(loader)))
  if (!isShown && view.uses > 0 && !(await view.during(signal, view.isAwake()))) throw stuck()
}

function stuck(): EngineError {
  return browserFailed('The previous page blocked the navigation. Scrape the page again.')
}

/**
 * Leaves the current document if the URL differs only in its fragment. Otherwise the browser would not load anything, and the
 * page would be in its current state instead of its initial one.
 */
async function leaveSameDocument(view: View, url: URL, signal: AbortSignal): Promise<void> {
  if (url.hash === '' || withoutHash(view.frames.main.url) !== withoutHash(url.href)) return
  await during(view, signal, view.rest())
}

function withoutHash(address: string): string {
  return address.split('#')[0] ?? ''
}

/** Sets the caller's cookies for the host of the page. */
async function bringCookies(view: View, url: URL, signal: AbortSignal): Promise<void> {
  const { cookie } = view.profile.headers
  if (!cookie) return
  const cookies = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      return at < 0
        ? { name: '', value: pair, url: url.href }
        : { name: pair.slice(0, at), value: pair.slice(at + 1), url: url.href }
    })
  await during(view, signal, view.session.send('Network.setCookies', { cookies }))
}

/** Returns the response to the document. It may be reported shortly after the document is shown. */
async function answerOf(view: View, signal: AbortSignal, loader: string | undefined): Promise<DocumentAnswer> {
  const end = performance.now() + answerWithin
  for (;;) {
    const answer = view.network.answerOf(loader ?? view.frames.main.loader)
    if (answer) return answer
    if (performance.now() > end) return { url: view.frames.main.url, status: 200, headers: [] }
    await pause(10, signal, view.place.broken)
  }
}

function throwRefusal(view: View, { headers }: DocumentAnswer, url: URL): void {
  const isOurs = headers.some(([name, value]) => name === refusalHeader && value === view.place.route.mark)
  if (!isOurs) return
  const address = URL.parse(view.frames.main.url) ?? url
  throw view.place.route.failureAt(address) ?? view.place.route.failureAt(url) ?? blocked()
}

/** Returns the response of a navigation without a page, for example a 204, or throws the error. */
function failedOrEmpty(view: View, url: URL, errorText: string, loaderId: string | undefined): Landing {
  const refusal = view.documents.takeRefusal()
  if (refusal) throw refusal
  const answer = loaderId === undefined ? undefined : view.network.answerOf(loaderId)
  if (errorText.includes('ERR_ABORTED') && answer) {
    landings.set(view, view.visits)
    return answer
  }
  throw failureOf(view, url, errorText)
}

const codes: readonly (readonly [pattern: RegExp, code: ErrorCode, sentence: string])[] = [
  [
    /ERR_CERT_|ERR_BAD_SSL_CLIENT_AUTH_CERT/,
    'tls_failed',
    'The certificate of the host is not valid. Set skipTlsVerification to load it anyway.',
  ],
  [
    /ERR_SSL_|ERR_BAD_SSL/,
    'connection_failed',
    'The host does not use a supported version of TLS. Check the scheme and the port of the URL.',
  ],
  [/ERR_TOO_MANY_REDIRECTS/, 'too_many_redirects', 'The page redirects in a circle, or too often.'],
  [/ERR_NAME_NOT_RESOLVED/, 'dns_failed', 'The host name could not be resolved.'],
  [
    /ERR_UNSAFE_PORT|ERR_BLOCKED|ERR_ACCESS_DENIED|ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED/,
    'url_blocked',
    'The browser refuses to open this URL.',
  ],
  [
    /ERR_INVALID_|ERR_CONTENT_|ERR_HTTP2_|ERR_RESPONSE_|ERR_INCOMPLETE|ERR_QUIC/,
    'bad_response',
    'The response of the host is not valid HTTP.',
  ],
  [
    /ERR_TIMED_OUT|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET_|ERR_TUNNEL_|ERR_PROXY_|ERR_NETWORK_|ERR_ADDRESS_|ERR_INTERNET_|ERR_ABORTED/,
    'connection_failed',
    'The connection to the host failed, or was lost.',
  ],
]

function failureOf(view: View, url: URL, errorText: string): EngineError {
  const place = URL.parse(view.frames.main.url)
  const known = view.place.route.failureAt(url) ?? (place && view.place.route.failureAt(place))
  if (known && /ERR_TUNNEL_|ERR_PROXY_|ERR_EMPTY_|ERR_CONNECTION_/.test(errorText)) return known
  for (const [pattern, code, sentence] of codes) {
    if (pattern.test(errorText)) return new EngineError(code, `${sentence} (${errorText})`, { details: { errorText } })
  }
  return browserFailed(`The browser could not open the page (${errorText}).`)
}

function onlyWeb(): EngineError {
  return new EngineError('url_blocked', 'Only URLs that begin with http:// or https:// can be visited.')
}

function blocked(): EngineError {
  return new EngineError('url_blocked', 'The address guard does not allow a connection to this address.')
}
