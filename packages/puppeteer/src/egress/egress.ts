import type { Agent, IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { timingSafeEqual } from 'node:crypto'

import type { Guard } from '@harvestman/ports'
import { nodeHttp } from '@harvestman/toolbox/node-http'

import { realm } from '../lib/proxy-challenge.ts'
import { agentOf, forward } from './forward.ts'
import { openRoute, type Route, type RouteOptions } from './route.ts'
import { tunnel } from './tunnel.ts'

/** The only network access of a browser: a proxy in this process, which asks the guard before each connection. */
export interface Egress {
  /** Proxy URL for a browser's flag or a context's option. */
  readonly address: string
  /** Number of connections opened by all routes so far. */
  readonly connections: number
  /** Opens a route. It can only be used with its user name and password. */
  open(options: RouteOptions): Route
  close(): Promise<void>
}

export interface EgressOptions {
  /** IP to listen on, for a browser on another host. Default: localhost only. */
  readonly host?: string | undefined
}

interface Way {
  readonly route: Route
  readonly agent: Agent
}

/** A URL to which the proxy itself responds, with 204, if the request has the credentials of a route. */
export const credentialsUrl = 'http://credentials.harvestman.invalid/'

/**
 * Starts the proxy through which browsers reach the web, on a free port. Requests without the user name and password of an open
 * route get status 407. Rejects if it cannot listen on `host`.
 */
export async function openEgress(guard: Guard, { host = '127.0.0.1' }: EgressOptions = {}): Promise<Egress> {
  const ways = new Map<string, Way>()
  const inbound = new Set<Socket>()
  let ended = 0
  const server = nodeHttp().createServer({ maxHeaderSize: 262_144, keepAliveTimeout: 60_000, requestTimeout: 0 })
  server.on('connection', (socket: Socket) => {
    inbound.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => inbound.delete(socket))
  })
  server.on('request', (request, response) => {
    const way = wayOf(request, ways)
    if (way && request.url === credentialsUrl) return void response.writeHead(204).end()
    if (way) return forward(request, response, way.route, way.agent, guard)
    response.writeHead(407, { 'proxy-authenticate': `Basic realm="${realm}"`, 'content-length': 0 }).end()
  })
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const way = wayOf(request, ways)
    if (way) return tunnel(request.url ?? '', socket, head, way.route)
    socket.end(`HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="${realm}"\r\nContent-Length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  // The proxy of an idle browser must not keep the process alive.
  server.unref()
  const { port } = server.address() as AddressInfo

  return {
    address: `http://${host}:${port}`,
    get connections() {
      return [...ways.values()].reduce((sum, { route }) => sum + route.connections, ended)
    },
    open: (options) => {
      const route = openRoute(guard, options)
      const agent = agentOf(route, guard)
      ways.set(route.username, { route, agent })
      return {
        ...route,
        get connections() {
          return route.connections
        },
        close: () => {
          if (!ways.delete(route.username)) return
          ended += route.connections
          route.close()
          agent.destroy()
        },
      }
    },
    close: async () => {
      for (const { route, agent } of ways.values()) {
        route.close()
        agent.destroy()
      }
      ways.clear()
      for (const socket of inbound) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function wayOf({ headers }: IncomingMessage, ways: Map<string, Way>): Way | undefined {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
  const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  const way = ways.get(username)
  const received = Buffer.from(password)
  const wanted = Buffer.from(way?.route.password ?? '')
  return way && received.length === wanted.length && timingSafeEqual(received, wanted) ? way : undefined
}
