// Requests may offer to upgrade to another protocol. Only WebSocket is supported; other offers are ignored, not rejected.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

// Hook of newer Node versions that runs before HTTP parsing stops. The types of older versions do not have it.
interface Asking {
  shouldUpgradeCallback?: (incoming: IncomingMessage) => boolean
}

/**
 * Handles requests that open a WebSocket. Requests with another protocol get a normal response (RFC 9110, 7.8), unless the
 * server has other upgrade listeners.
 */
export function takeUpgrades(
  server: Server,
  take: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  const isLeftToOthers = (): boolean => server.listenerCount('upgrade') > 1
  const asking: Server & Asking = server
  if (asking.shouldUpgradeCallback) {
    asking.shouldUpgradeCallback = (incoming) => opensWebSocket(incoming) || isLeftToOthers()
  }
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (opensWebSocket(incoming)) take(incoming, socket, head)
    else if (!isLeftToOthers()) readAgain(server, incoming, socket, head)
  })
}

function opensWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

const ofUpgrades: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings'])

/**
 * Older Node versions have stopped HTTP parsing at this point. Replays the request to the server without its upgrade headers.
 */
function readAgain(server: Server, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders, headers } = incoming
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!ofUpgrades.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`)
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
