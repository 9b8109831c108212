import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import type { Protocol, Session } from '../lib/cdp.ts'

/** The response to the main document. */
export interface DocumentAnswer {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds from the request to the response head. */
  readonly latency?: number | undefined
}

/** The pending requests of a page, and the responses to its documents. */
export interface Network {
  follow(session: Session): void
  /**
   * Returns the number of pending requests that may change the page. Excludes requests that have been open for more than three
   * seconds, because they may never end.
   */
  pending(): number
  /**
   * Returns the same number including the long requests, open WebSockets and event streams, which show that an unfinished page
   * is still active.
   */
  active(): number
  /** Returns the response to the document of a loader. */
  answerOf(loader: string): DocumentAnswer | undefined
  forget(): void
}

// Images, fonts, media, pings and streams do not change the document.
const matter: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Document', 'Script', 'XHR', 'Fetch', 'Preflight'])

// Longer requests, in milliseconds, are probably long polling.
const maxRequestTime = 3_000
const maxStreams = 100
const maxAnswers = 50

/** Creates the count of the pending requests of a page, which also stores the responses to its last documents. */
export function makeNetwork(): Network {
  const open = new Map<string, number>()
  const streams = new Set<string>()
  const answers = recentlyUsed<string, DocumentAnswer>(maxAnswers)
  return {
    follow: (session) => {
      const end = ({ requestId }: { readonly requestId: string }): void => {
        open.delete(requestId)
        streams.delete(requestId)
      }
      const begin = ({ requestId }: { readonly requestId: string }): void =>
        void (streams.size < maxStreams && streams.add(requestId))
      session.on('Network.requestWillBeSent', (event) => {
        if (event.type && matter.has(event.type)) open.set(event.requestId, performance.now())
        else if (event.type === 'EventSource') begin(event)
      })
      session.on('Network.webSocketCreated', begin)
      session.on('Network.webSocketClosed', end)
      session.on('Network.responseReceived', ({ type, loaderId, requestId, response }) => {
        if (type !== 'Document' || loaderId !== requestId) return
        const { url, status, headers, timing } = response
        const latency = timing && timing.receiveHeadersEnd - timing.sendStart
        answers.set(loaderId, { url, status, headers: listHeaders(headers), latency })
      })
      session.on('Network.loadingFinished', end)
      session.on('Network.loadingFailed', end)
    },
    pending: () => {
      const since = performance.now() - maxRequestTime
      let count = 0
      for (const started of open.values()) if (started >= since) count += 1
      return count
    },
    active: () => open.size + streams.size,
    answerOf: (loader) => answers.get(loader),
    forget: () => {
      open.clear()
      streams.clear()
    },
  }
}

/** Converts the headers to a list. The protocol joins repeated headers with line breaks. */
function listHeaders(headers: Protocol.Network.Headers): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split('\n').map((one) => [name.toLowerCase(), one] as const),
  )
}
