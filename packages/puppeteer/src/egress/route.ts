import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

import { EngineError, type Guard } from '@harvestman/ports'
import { parseProxy, type ProxyAddress } from '@harvestman/net/connect'

import { recentlyUsed } from '@harvestman/ports/adapters'
import { dialHost, tunnelThrough, type Destination } from './dial.ts'

export interface RouteOptions {
  /** The address of a proxy that all of this traffic is handed on to. */
  readonly proxy?: string | undefined
  /** Hosts that are not connected to, beside those the guard refuses. */
  readonly leavesOut?: ((host: string) => boolean) | undefined
}

/** The way out of one browser context: its own key, its own upstream proxy, and a memory of what went wrong. */
export interface Route {
  readonly username: string
  readonly password: string
  /** What is said with refusals of ours, which pages may read. */
  readonly mark: string
  /** What opens the route, as it may stand in messages of the browser. */
  readonly secrets: readonly string[]
  readonly upstream: ProxyAddress | undefined
  readonly signal: AbortSignal
  /** Connections made so far. */
  readonly connections: number
  /** Refuses what must not be asked for. */
  check(url: URL): void
  /** Connects to a destination, through the upstream proxy when there is one. */
  connect(destination: Destination): Promise<Socket>
  /** Keeps a socket to be closed with the route. */
  hold(socket: Socket): Socket
  note(destination: Destination, error: unknown): EngineError
  /** Why the last connection to this place failed. */
  failureAt(url: URL): EngineError | undefined
  close(): void
}

const mostFailures = 200

export function openRoute(guard: Guard, { proxy, leavesOut }: RouteOptions): Route {
  const upstream = proxy === undefined ? undefined : parseProxy(proxy)
  const closing = new AbortController()
  const sockets = new Set<Socket>()
  const failures = recentlyUsed<string, EngineError>(mostFailures)
  let connections = 0
  const username = randomBytes(9).toString('base64url')
  const password = randomBytes(18).toString('base64url')

  const hold = (socket: Socket): Socket => {
    sockets.add(socket)
    // A socket that breaks is closed too, and that is all there is to know.
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
        ? tunnelThrough(upstream, destination, guard, signal)
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
