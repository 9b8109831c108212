import { recentlyUsed } from '@harvestman/ports/adapters'
import type { Protocol, Session } from '../lib/cdp.ts'

/** What the main document was answered with. */
export interface DocumentAnswer {
  readonly url: string
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds from asking to the first of the answer. */
  readonly latency?: number | undefined
}

/** What a page is still waiting for, and what its documents were answered with. */
export interface Network {
  follow(session: Session): void
  /** Requests under way whose answer may change the page, leaving out those that take so long that they may never end. */
  pending(): number
  /** The same with those that take long, and open sockets and event streams: signs that an unfinished page is still at work. */
  active(): number
  /** The answer to the document that a loader brought. */
  answerOf(loader: string): DocumentAnswer | undefined
  forget(): void
}

// Pictures, fonts, films, pings and streams change nothing in the document.
const matter: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Document', 'Script', 'XHR', 'Fetch', 'Preflight'])

// A request that is open for longer is one that waits for news.
const longestWait = 3_000
const maxStreams = 100
const mostAnswers = 50

export function makeNetwork(): Network {
  const open = new Map<string, number>()
  const streams = new Set<string>()
  const answers = recentlyUsed<string, DocumentAnswer>(mostAnswers)
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
      const since = performance.now() - longestWait
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

/** The protocol joins repeated headers with line breaks. */
function listHeaders(headers: Protocol.Network.Headers): (readonly [string, string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split('\n').map((one) => [name.toLowerCase(), one] as const),
  )
}
