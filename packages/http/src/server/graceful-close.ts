import type { Server as NodeServer } from 'node:http'

import { watchConnections, type Connections } from './connections.ts'
import type { Sockets } from './web-socket.ts'

/** Options for closing a server. */
export interface CloseOptions {
  /** The result of `attachWebSockets` for this server. */
  readonly sockets?: Sockets | undefined
  /** Dependencies that are closed after the server, in this order: the engine, then its stores and other parts. */
  readonly owns?: readonly { close(): Promise<void> | void }[] | undefined
  /** Milliseconds that running requests have to finish. Default: 10,000. */
  readonly grace?: number | undefined
}

const defaultGrace = 10_000

/**
 * Returns a function that closes a Node server and its dependencies: it closes WebSockets, stops accepting requests, lets
 * running ones finish for at most `grace` milliseconds (default 10,000) and a second to send an error, then closes `owns` in
 * order. It rejects if one of these fails, and the rest of them stay open. Later calls return the promise of the first one.
 * Call `gracefulClose` before the first request, so that all connections are tracked.
 */
export function gracefulClose(server: NodeServer, options: CloseOptions = {}): () => Promise<void> {
  return closeOf(watchConnections(server), options)
}

/**
 * Returns a function that closes a server as `gracefulClose` does, for connections that are already tracked. Later calls return
 * the promise of the first one.
 */
export function closeOf(connections: Connections, options: CloseOptions): () => Promise<void> {
  const { sockets, owns = [], grace = defaultGrace } = options
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    sockets?.close()
    await connections.close(grace)
    for (const owned of owns) await owned.close()
  }
  return () => (closed ??= close())
}
