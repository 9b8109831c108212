import { once } from 'node:events'
import type { Server as NodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { EngineError } from '@harvestman/core'
import { nodeHttp } from '@harvestman/toolbox/node-http'

import { watchConnections } from './connections.ts'
import { closeOf, type CloseOptions } from './graceful-close.ts'
import { isLoopback } from '../callers/hosts.ts'
import { nodeHandler, type Handler } from './node-handler.ts'
import { prepareRequests } from './request-of.ts'
import { attachWebSockets } from './web-socket.ts'

/** Options of `serve`. */
export interface ServeOptions {
  readonly port?: number | undefined
  /** The host to listen on. Default: 127.0.0.1, which is reachable from localhost only. */
  readonly host?: string | undefined
  /** True if no key is required. Default: as the handler reports it, or true. */
  readonly isOpen?: boolean | undefined
  /** Milliseconds that `close` waits for running requests. */
  readonly grace?: number | undefined
  /** Dependencies that are closed after the server, in this order: the engine, then its stores and other parts. */
  readonly owns?: CloseOptions['owns']
  /** Milliseconds in which the headers of a request must arrive. */
  readonly headersTimeout?: number | undefined
  /** Milliseconds in which a complete request must arrive. */
  readonly requestTimeout?: number | undefined
}

/** A running server. */
export interface Server {
  readonly url: string
  readonly port: number
  /**
   * Stops accepting requests and lets running ones finish. Requests that exceed the grace period are aborted with a 503
   * response that has a retry delay.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const defaults = { port: 3002, host: '127.0.0.1', headersTimeout: 10_000, requestTimeout: 60_000 }

const fixed = {
  // Longer than the minute after which load balancers close idle connections: the side that closes first loses requests.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 1_000,
}

/**
 * Serves an API on a port (default 3002). Resolves when the server is listening. Rejects with `invalid_request` if it cannot
 * listen there, for example because the port is taken, and with `not_configured` for a server without keys on a host other than
 * the loopback.
 */
export async function serve(handle: Handler, options: ServeOptions = {}): Promise<Server> {
  const { port = defaults.port, host = defaults.host, grace, owns, isOpen = handle.isOpen ?? true } = options
  const { headersTimeout = defaults.headersTimeout, requestTimeout = defaults.requestTimeout } = options
  if (isOpen && !isLoopback(host)) throw needsKey(host)
  const server = nodeHttp().createServer({ ...fixed, headersTimeout, requestTimeout })
  const connections = watchConnections(server)
  server.on('request', nodeHandler(handle, connections))
  const sockets = attachWebSockets(server, handle)
  await listen(server, port, host)
  // Not in the first request.
  setImmediate(prepareRequests)
  const { port: actual } = server.address() as AddressInfo
  const close = closeOf(connections, { sockets, owns, grace })
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
  return { url, port: actual, close, [Symbol.asyncDispose]: close }
}

function needsKey(host: string): EngineError {
  return new EngineError(
    'not_configured',
    `A server without API keys listens on loopback addresses only, and ${host} is not one. Configure an API key, or remove the host.`,
  )
}

async function listen(server: NodeServer, port: number, host: string): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new EngineError('invalid_request', whyNot(error, port, host), { cause: error })
  }
  // Errors from now on concern one connection, and its client sees them.
  server.on('error', () => undefined)
}

function whyNot(error: unknown, port: number, host: string): string {
  switch ((error as { readonly code?: unknown }).code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the process that listens there, or choose another port.`
    case 'EACCES':
      return `This process may not listen on port ${port}. Choose a port above 1023, or give the process the permission.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This host does not have the address ${host}. Choose one of its own addresses.`
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is not a port. Choose one between 0 and 65535.`
    default:
      return `The server could not listen on port ${port} of ${host}.`
  }
}
