// The only importer of Hono's server for Node.
import { once } from 'node:events'
import { createServer, type Server as NodeServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { EngineError } from '@harvestman/core'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { jsonAnswer, toResponse, type Transport } from './answer.ts'
import { watchConnections } from './connections.ts'
import { refusalOf, statuses } from './errors.ts'
import { isLoopback } from './hosts.ts'
import { refusalBody } from './refusal-body.ts'
import type { Watch } from './sockets.ts'
import { openSockets } from './web-socket.ts'
import { write } from './write.ts'

export interface ServeOptions {
  readonly port?: number | undefined
  /** The address to listen on. Only this machine reaches the server when absent. */
  readonly host?: string | undefined
  /** Whether whoever reaches the server is answered; what `createApi` made says so itself. */
  readonly isOpen?: boolean | undefined
  /** Milliseconds that `close` waits for requests that are being answered. */
  readonly grace?: number | undefined
  /** Milliseconds in which the headers of a request must arrive. */
  readonly headersTimeout?: number | undefined
  /** Milliseconds in which a request must arrive as a whole. */
  readonly requestTimeout?: number | undefined
}

/** What is served: `createApi` makes one, and so does a function around it. */
export interface Handler {
  (request: Request, transport?: Transport): Promise<Response>
  /** Whether it answers without a key; so it is taken when it does not say. */
  readonly isOpen?: boolean
  /** What is told over WebSockets; without it there are none. */
  readonly watch?: Watch
}

export interface Server {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those that run finish, and aborts the ones that outlast the grace period. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const defaults = { port: 3002, host: '127.0.0.1', grace: 10_000, headersTimeout: 10_000, requestTimeout: 60_000 }

const fixed = {
  // Longer than the minute after which balancers close idle connections: the side that closes first loses requests.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 1_000,
}

/** Serves an API on a port. It resolves when the server listens. */
export async function serve(handle: Handler, options: ServeOptions = {}): Promise<Server> {
  const { port = defaults.port, host = defaults.host, grace = defaults.grace, isOpen = handle.isOpen ?? true } = options
  const { headersTimeout = defaults.headersTimeout, requestTimeout = defaults.requestTimeout } = options
  if (isOpen && !isLoopback(host)) throw needsKey(host)
  const server = createServer({ ...fixed, headersTimeout, requestTimeout })
  const connections = watchConnections(server)
  const listener = getRequestListener(
    (request, { outgoing }) => {
      const response = outgoing as ServerResponse
      connections.use(response)
      return handle(request, {
        send: (answer) => {
          write(answer, response, connections.closing)
          return RESPONSE_ALREADY_SENT
        },
      })
    },
    // The classes that would replace the global ones are for speed, which writing answers by hand brings as well.
    { overrideGlobalObjects: false, errorHandler: explain },
  )
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
  const sockets = handle.watch && openSockets(server, handle.watch)
  await listen(server, port, host)
  const { port: actual } = server.address() as AddressInfo
  const close = (): Promise<void> => {
    sockets?.close()
    return connections.close(grace)
  }
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
  return { url, port: actual, close, [Symbol.asyncDispose]: close }
}

function needsKey(host: string): EngineError {
  return new EngineError(
    'not_configured',
    `A server without API keys listens on the loopback only, and ${host} is not that. Configure a key, or leave out the host.`,
  )
}

/** Answers what did not become a request. */
function explain(error: unknown): Response {
  const refusal =
    error instanceof RequestError
      ? { ...statuses.invalid_request, error: `The request is not valid HTTP: ${error.message}.` }
      : refusalOf(error)
  return toResponse(jsonAnswer(refusal.status, refusalBody(refusal), {}))
}

async function listen(server: NodeServer, port: number, host: string): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new EngineError('invalid_request', whyNot(error, port, host), { cause: error })
  }
  // What happens from now on is about one connection, and whoever made it sees it.
  server.on('error', () => undefined)
}

function whyNot(error: unknown, port: number, host: string): string {
  switch ((error as { readonly code?: unknown }).code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the program that listens there, or choose another port.`
    case 'EACCES':
      return `This process may not listen on port ${port}. Choose a port above 1023, or give it the right to.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose one that it has.`
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is not a port. Choose one between 0 and 65535.`
    default:
      return `The server could not listen on port ${port} of ${host}.`
  }
}
