import type { Server as NodeServer } from 'node:http'

import { watchConnections, type Connections } from './connections.ts'
import type { Sockets } from './web-socket.ts'

/** Options for closing a server. */
export interface CloseOptions {
  /** The result of `attachWebSockets` for this server. */
  readonly sockets?: Sockets | undefined
  /** Parts the server stands on, in the order in which they are closed: the engine, then what the engine was given. */
  readonly owns?: readonly { close(): Promise<void> | void }[] | undefined
  /** Milliseconds that requests which are being answered have; 10,000 when absent. */
  readonly grace?: number | undefined
}

const usualGrace = 10_000

/**
 * Gives the one call that ends a server of Node with all it stands on: it takes no more requests, lets those that run finish,
 * says goodbye on WebSockets, then closes what it owns. Ask for it before the first request comes.
 */
export function gracefulClose(server: NodeServer, options: CloseOptions = {}): () => Promise<void> {
  return closeOf(watchConnections(server), options)
}

export function closeOf(connections: Connections, options: CloseOptions): () => Promise<void> {
  const { sockets, owns = [], grace = usualGrace } = options
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    sockets?.close()
    await connections.close(grace)
    for (const owned of owns) await owned.close()
  }
  return () => (closed ??= close())
}
