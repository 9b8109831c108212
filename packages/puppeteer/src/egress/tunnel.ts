import type { Socket } from 'node:net'

import { EngineError } from '@harvestman/ports'

import { destinationOf, type Route } from './route.ts'
import { refusalHeader } from './forward.ts'

/**
 * Opens a tunnel for the browser, which it uses for TLS and WebSockets. Failures are noted on the route and end the connection.
 */
export function tunnel(authority: string, socket: Socket, head: Buffer, route: Route): void {
  const url = urlOf(authority)
  const destination = url ? destinationOf(url) : { host: '', port: 0 }
  route.hold(socket)
  const open = async (): Promise<void> => {
    if (!url) throw new EngineError('url_blocked', 'This is not an address to connect to.')
    route.check(url)
    const far = await route.connect(destination)
    if (socket.destroyed) return void far.destroy()
    join(socket, far)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    if (head.length > 0) far.write(head)
  }
  open().catch((error: unknown) => {
    const { code } = route.note(destination, error)
    const status = code === 'url_blocked' ? '403 Forbidden' : '502 Bad Gateway'
    socket.end(`HTTP/1.1 ${status}\r\n${refusalHeader}: ${route.mark}\r\nContent-Length: 0\r\n\r\n`)
  })
}

function join(near: Socket, far: Socket): void {
  near.setNoDelay(true)
  near.pipe(far)
  far.pipe(near)
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
}

/** Parses the target of a CONNECT request. Port 80 is a plain WebSocket; the guard does not need to know the protocol. */
function urlOf(authority: string): URL | undefined {
  const url = URL.parse(`http://${authority}`)
  if (!url || url.pathname !== '/' || url.username || url.search) return undefined
  return url.port === '' && !authority.endsWith(':80') ? undefined : url
}
