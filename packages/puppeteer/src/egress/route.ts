import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

import { EngineError, type Guard, type Proxy } from '@harvestman/ports'
import { parseProxy, type ParsedProxy } from '@harvestman/net/connect'

import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { dialHost, tunnelThrough, type Destination } from './dial.ts'

export interface RouteOptions {
  /** URL of an upstream proxy for all traffic of the route. */
  readonly proxy?: string | undefined
  /** Called with the bytes of connections through the upstream proxy. */
  readonly onBytes?: Proxy['onBytes']
  /** Returns whether to block a host, in addition to the guard. */
  readonly leavesOut?: ((host: string) => boolean) | undefined
}

/** The network access of one browser context: its own credentials, its upstream proxy, and its recent failures. */
export interface Route {
  readonly username: string
  readonly password: string
  /** Secret value of the header that marks our refusals. */
  readonly mark: string
  /** The credentials in the forms in which they may occur in messages of the browser, to redact them. */
  readonly secrets: readonly string[]
  readonly upstream: ParsedProxy | undefined
  readonly onBytes: Proxy['onBytes']
  readonly signal: AbortSignal
  /** Number of connections opened so far. */
  readonly connections: number
  /** Throws `url_blocked` if the URL must not be requested. */
  check(url: URL): void
  /** Connects to a destination, through the upstream proxy if there is one. */
  connect(destination: Destination): Promise<Socket>
  /** Registers a socket, so that it is closed with the route. */
  hold(socket: Socket): Socket
  note(destination: Destination, error: unknown): EngineError
  /** Returns why the last connection to the host and port of this URL failed, if it did. */
  failureAt(url: URL): EngineError | undefined
  close(): void
}

const maxFailures = 200

/**
 * Creates a route with random credentials. Throws `invalid_request` if the URL of the upstream proxy is invalid. `connect`
 * rejects as `dialHost` or `tunnelThrough` does; `note` stores a failure for `failureAt`, which remembers the last 200 hosts,
 * and returns it as an `EngineError`.
 */
export function openRoute(guard: Guard, { proxy, onBytes, leavesOut }: RouteOptions): Route {
  const upstream = proxy === undefined ? undefined : parseProxy(proxy)
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const failures = recentlyUsed<string, EngineError>(maxFailures)
  let connections = 0
  const username = randomBytes(9).toString('base64url')
  const password = randomBytes(18).toString('base64url')

  const hold = (socket: Socket): Socket => {
    sockets.add(socket)
    // A failed socket is also closed, so the error needs no handling.
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    if (closing.signal.aborted) socket.destroy()
    return socket
  }

  return {
    username,
    password,
    mark: randomBytes(9).toString('base64url'),
    secrets: [password, Buffer.from(`${username}:${password}`).toString('base64')],
    upstream,
    onBytes,
    signal: closing.signal,
    get connections() {
      return connections
    },
    check: (url) => {
      guard.checkUrl(url)
      if (leavesOut?.(url.hostname)) throw leftOut()
    },
    connect: async (destination) => {
      const { signal } = closing
      const socket = await (upstream
        ? tunnelThrough(upstream, destination, guard, signal, onBytes)
        : dialHost(destination, guard, signal))
      connections += 1
      failures.delete(keyOf(destination))
      return hold(socket)
    },
    hold,
    note: (destination, error) => {
      const failure = EngineError.is(error)
        ? error
        : new EngineError('connection_failed', `The connection to ${destination.host} broke.`, { cause: error })
      failures.set(keyOf(destination), failure)
      return failure
    },
    failureAt: (url) => failures.get(keyOf(destinationOf(url))),
    close: () => {
      closing.abort(new EngineError('closed', 'The tab was closed.'))
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Returns the host, without brackets, and port of a URL, with the default port of its scheme. */
export function destinationOf(url: URL): Destination {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) }
}

function keyOf({ host, port }: Destination): string {
  return `${host}:${port}`
}

function leftOut(): EngineError {
  return new EngineError('url_blocked', 'This host serves advertisements or trackers, which blockAds leaves out.')
}
