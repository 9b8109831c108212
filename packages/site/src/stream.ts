import {
  EngineError,
  type Browser,
  type Fetcher,
  type Guard,
  type PickedProxy,
  type Proxies,
  type ProxyRequest,
  type TakeBody,
  type WireHead,
} from '@harvestman/ports'
import { pageHeaders, fetchFollowing } from '@harvestman/net'
import { proxyOutcome } from '@harvestman/toolbox/proxy-outcome'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

/** Dependencies for fetching a file of a site. */
export interface StreamKit {
  readonly fetcher: Fetcher
  readonly guard: Guard
  /** Headers of the engine, for every host. */
  readonly sends?: Readonly<Record<string, string>> | undefined
  /** Pages may be opened in this browser, so files of the site are requested with its identity. */
  readonly browser?: Pick<Browser, 'identity'> | undefined
  /** Proxies of the pages. Files of the site are requested through them, too. */
  readonly proxies?: Proxies | undefined
}

/** The proxies of the work that needs a file of a site: those of its pages. */
export type Route = Omit<ProxyRequest, 'host'>

export interface StreamRequest {
  readonly url: URL
  readonly redirects: number
  readonly maxBytes: number
  /** Headers of the caller, for this host. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly languages?: readonly string[] | undefined
  /** Owner of the connections, which are reused only for the same owner. */
  readonly owner?: string | undefined
  /** Without it, no proxy is used. */
  readonly route?: Route | undefined
  /** Rejects if a redirect may not be followed to this URL. */
  readonly mayVisit?: ((url: URL) => Promise<void>) | undefined
}

export interface Streamed {
  readonly status: number
  /** URL of the response. */
  readonly url: URL
  /** Whether the compressed body ended early. */
  readonly isTruncated: boolean
}

/** Receives a chunk; returning `enough` ends the exchange. */
export type TakePiece = (piece: Uint8Array) => Promise<void> | 'enough' | undefined

// Larger chunks are split, so that they do not block the event loop.
const pieceBytes = 262_144

/** Maximum number of proxies that are tried if they are down. */
const maxProxies = 3

/**
 * Fetches a URL, follows redirects, and passes the body on in chunks if the response is successful. Other bodies are not read,
 * but the status is returned. `take` may end the reading by returning `enough`. If a proxy is down, another one is tried. Rejects
 * with the errors of `fetchFollowing`, such as `too_many_redirects`, `response_too_large`, `url_blocked` and `dns_failed`, and of
 * `Proxies.pick`.
 */
export async function streamBody(
  kit: StreamKit,
  request: StreamRequest,
  take: TakePiece,
  signal: AbortSignal,
): Promise<Streamed> {
  const { route, url } = request
  const pick = async () => route && kit.proxies?.pick({ ...route, host: url.host })
  for (let tried = 1; ; tried += 1) {
    const proxy = await untilAborted(pick(), signal)
    try {
      const streamed = await streamThrough(proxy, kit, request, take, signal)
      proxy?.report?.({ outcome: 'ok' })
      return streamed
    } catch (error) {
      const outcome = proxyOutcome(error)
      proxy?.report?.({ outcome })
      // No request has reached the host.
      if (!proxy || outcome !== 'down' || tried >= maxProxies) throw error
    }
  }
}

async function streamThrough(
  proxy: PickedProxy | undefined,
  { fetcher, guard, sends, browser }: StreamKit,
  { url, redirects, maxBytes, headers = {}, languages, owner, mayVisit }: StreamRequest,
  take: TakePiece,
  signal: AbortSignal,
): Promise<Streamed> {
  const enough = new AbortController()
  let head: WireHead | undefined
  let last = url
  const takeBody: TakeBody = (piece) => {
    const wait = head && isGood(head.status) ? take(piece) : 'enough'
    if (wait !== 'enough') return wait
    enough.abort()
    return undefined
  }
  const noted: Fetcher = {
    exchange: (request, ends) => {
      last = request.url
      return fetcher.exchange(request, ends)
    },
    close: () => fetcher.close(),
  }
  const request = {
    url,
    method: 'GET' as const,
    headers: pageHeaders({ ...sends, ...headers }, { languages, browser: await browser?.identity?.() }),
    ownHeaders: Object.keys(headers),
    maxBytes,
    owner,
    proxy,
    take: (given: WireHead) => {
      head = given
      return takeBody
    },
  }
  try {
    const answer = await fetchFollowing(noted, guard, request, AbortSignal.any([signal, enough.signal]), {
      limit: redirects,
      mayVisit,
    })
    if (answer.body.length > 0 && isGood(answer.status)) await takeWhole(answer.body, take, signal)
    return { status: answer.status, url: answer.url, isTruncated: answer.isTruncated === true }
  } catch (error) {
    signal.throwIfAborted()
    if (head && enough.signal.aborted) return { status: head.status, url: last, isTruncated: false }
    throw error
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

async function takeWhole(body: Uint8Array, take: TakePiece, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    signal.throwIfAborted()
    const wait = take(body.subarray(at, at + pieceBytes))
    if (wait === 'enough') return
    await (wait ?? new Promise((resolve) => setImmediate(resolve)))
  }
}

/**
 * Returns whether an error is about the caller (abort, shutdown, an internal error or any other than an `EngineError`) and not
 * about the requested URL.
 */
export function isAboutCaller(error: unknown): boolean {
  return !EngineError.is(error) || ['aborted', 'closed', 'internal'].includes(error.code)
}
