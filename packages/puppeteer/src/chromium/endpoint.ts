import { EngineError } from '@harvestman/ports'
import { hearOn } from '@harvestman/toolbox/socket-talk'

import { loadConnect, type Transport } from '../lib/cdp.ts'
import { makeSwitch } from '../fence/switch.ts'
import { browserFailed } from '../lib/errors.ts'
import { race } from '../lib/race.ts'
import type { Running } from './running.ts'

const connectsWithin = 15_000

/**
 * Connects to a running browser at a `ws(s)://` or `http(s)://` endpoint; for the latter, fetches its WebSocket URL first.
 * Rejects with the signal's reason if it is aborted before the browser is connected, and with `browser_failed` if the browser
 * cannot be reached, or not within 15 seconds for all steps.
 */
export async function reach(endpoint: string, signal: AbortSignal): Promise<Running> {
  const deadline = AbortSignal.timeout(connectsWithin)
  let socket: WebSocket | undefined
  try {
    const connect = await loadConnect()
    const address = /^https?:/.test(endpoint)
      ? await fetchSocketUrl(endpoint, AbortSignal.any([signal, deadline]))
      : endpoint
    const closed = new AbortController()
    socket = new WebSocket(address)
    const lines = makeSwitch(socketTransport(socket))
    await race(opened(socket), signal, deadline)
    const connection = connect(lines.main)
    const lost = (sentence: string): void => {
      closed.abort(browserFailed(sentence))
      connection.dispose()
    }
    socket.addEventListener('close', () => lost('The connection to the browser was lost. Scrape the page again.'))
    const { product, userAgent } = await race(connection.send('Browser.getVersion'), signal, deadline)
    const leave = async (sentence: string): Promise<void> => lost(sentence)
    return {
      connection,
      openLine: lines.open,
      kind: 'remote',
      product,
      userAgent,
      brand: undefined,
      closed: closed.signal,
      pid: undefined,
      folder: undefined,
      paints: true,
      keepAlive: () => undefined,
      memory: () => 0,
      whyEnded: () => undefined,
      lastEnd: () => undefined,
      endBusiest: () => false,
      close: () => leave('The browser was closed.'),
      kill: leave,
    }
  } catch (error) {
    socket?.close()
    signal.throwIfAborted()
    throw EngineError.is(error) ? error : unreachable(error)
  }
}

async function fetchSocketUrl(endpoint: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(new URL('/json/version', endpoint), { signal })
  const { webSocketDebuggerUrl } = (await response.json()) as { readonly webSocketDebuggerUrl?: string }
  if (!webSocketDebuggerUrl) throw unreachable()
  // A browser in a container returns its internal host, so use the host of the endpoint.
  const address = new URL(webSocketDebuggerUrl)
  const requested = new URL(endpoint)
  address.host = requested.host
  address.protocol = requested.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(unreachable()), { once: true })
  })
}

function socketTransport(socket: WebSocket): Transport {
  const transport: Transport = {
    send: (message) => socket.send(message),
    close: () => socket.close(),
  }
  hearOn(socket, () => undefined).open((data) => transport.onmessage?.(String(data)))
  socket.addEventListener('close', () => transport.onclose?.())
  return transport
}

function unreachable(cause?: unknown): EngineError {
  return browserFailed(
    'The browser at the configured endpoint does not respond. Start it with --remote-debugging-port, and check the URL.',
    cause,
  )
}
