import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Connections of a server, so that it can be closed without cutting off responses. */
export interface Connections {
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal
  /** Aborted when the grace period ends. */
  readonly cut: AbortSignal
  close(grace: number): Promise<void>
}

// Milliseconds after `cut`: time to send an error response, before work that ignores the abort is disconnected.
const lastWord = 1_000

/**
 * Tracks the connections of a Node server from now on, so that it can be closed gracefully. `close` takes the grace period in
 * milliseconds; after it `cut` is aborted, and a second later the open connections are closed. Later calls of `close` return
 * the promise of the first one.
 */
export function watchConnections(server: Server): Connections {
  // Connections without a request yet, which browsers open ahead of need. Node treats them as busy and would wait for a
  // request.
  const unused = new Set<Socket>()
  const closing = new AbortController()
  const cut = new AbortController()
  let closed: Promise<void> | undefined
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  return {
    closing: closing.signal,
    cut: cut.signal,
    close: (grace) => {
      closing.abort()
      return (closed ??= closeGently(server, unused, grace, cut))
    },
  }
}

async function closeGently(
  server: Server,
  unused: ReadonlySet<Socket>,
  grace: number,
  cut: AbortController,
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // For responses without `connection: close`: responses in progress, and responses of other handlers.
  server.keepAliveTimeout = 1
  server.keepAliveTimeoutBuffer = 0
  for (const socket of unused) socket.destroy()
  if (await endsWithin(closed, grace)) return
  cut.abort()
  if (await endsWithin(closed, lastWord)) return
  server.closeAllConnections()
  await closed
}

async function endsWithin(closed: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const over = new AbortController()
  const { signal } = over
  const late = sleep(milliseconds, false, { signal }).catch(() => false)
  try {
    return await Promise.race([closed.then(() => true), late])
  } finally {
    over.abort()
  }
}
