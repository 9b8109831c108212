// Requests may ask for another protocol on their connection. We speak one, and all others are no reason to refuse.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

// Hook of versions of Node that ask before they stop reading HTTP; the types of older ones do not know of it.
interface Asking {
  shouldUpgradeCallback?: (incoming: IncomingMessage) => boolean
}

/**
 * Takes the requests that open a WebSocket. Those that name another protocol are answered as any request (RFC 9110, 7.8),
 * unless another listener of this server wants them.
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

/** An older Node has stopped reading HTTP here. It begins anew with the same request, which asks for nothing now. */
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
