import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server, so that it can be closed without cutting anybody off. */
export interface Connections {
  /** Says that a request has come over the connection of this response. */
  use(response: ServerResponse): void
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal
  close(grace: number): Promise<void>
}

export function watchConnections(server: Server): Connections {
  // Opened ahead of need, as browsers do. Node takes them for busy, and would wait for their first request.
  const unused = new Set<Socket>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  return {
    use: ({ socket }) => {
      if (socket) unused.delete(socket)
    },
    closing: closing.signal,
    close: (grace) => {
      closing.abort()
      return (closed ??= closeGently(server, unused, grace))
    },
  }
}

async function closeGently(server: Server, unused: ReadonlySet<Socket>, grace: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // For answers that do not say that their connection is not kept: those on their way, and those of other handlers.
  server.keepAliveTimeout = 1
  server.keepAliveTimeoutBuffer = 0
  for (const socket of unused) socket.destroy()
  const timer = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(timer)
}
