import dgram from 'node:dgram'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'

import { certificate, privateKey } from './certificate.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What a path is answered with: the body of an HTML page, or something else altogether. */
export type Pages = Readonly<Record<string, string | Answer>>

export interface Served {
  readonly port: number
  /** Requests that came, as `GET /path`. */
  readonly seen: readonly string[]
  /** The headers of the last request for a path. */
  headersOf(path: string): IncomingMessage['headers'] | undefined
  close(): Promise<void>
}

export interface ServeOptions {
  readonly secure?: boolean
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Opens WebSockets: by path, with the connection and the key of the request. */
  readonly sockets?: Readonly<Record<string, (socket: Socket, key: string) => void>>
}

/** Serves pages on this machine, for any name. */
export function serve(
  pages: Pages,
  { secure = false, headers = {}, sockets = {} }: ServeOptions = {},
): Promise<Served> {
  const seen: string[] = []
  const last = new Map<string, IncomingMessage['headers']>()
  const handle: Answer = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    seen.push(`${request.method} ${request.url}`)
    last.set(path, request.headers)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const page = pages[path] ?? pages['*']
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    else if (typeof page === 'function') page(request, response)
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
  const server = secure ? createSecureServer({ cert: certificate, key: privateKey }, handle) : createServer(handle)
  const upgraded = new Set<Socket>()
  server.on('upgrade', ({ url = '/', headers: sent }: IncomingMessage, socket: Socket) => {
    upgraded.add(socket)
    socket.on('error', () => undefined).on('close', () => upgraded.delete(socket))
    const open = sockets[url]
    if (open) open(socket, sent['sec-websocket-key'] ?? '')
    else socket.destroy()
  })
  return listening(server).then((port) => ({
    port,
    seen,
    headersOf: (path) => last.get(path),
    close: () => {
      for (const socket of upgraded) socket.destroy()
      return closed(server)
    },
  }))
}

function listening(server: net.Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

function closed(server: Server | ReturnType<typeof createSecureServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export interface Listener {
  readonly port: number
  /** Connections and packets that came. */
  readonly contacts: number
  close(): Promise<void>
}

/** A place that nobody may reach: counts who does, by TCP and by UDP. */
export async function listenPrivately(): Promise<Listener> {
  let contacts = 0
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    contacts += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.end(
      'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret',
    )
  })
  const port = await listening(server)
  const udp = dgram.createSocket('udp4')
  udp.on('message', () => (contacts += 1))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  return {
    port,
    get contacts() {
      return contacts
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => udp.close(() => resolve()))
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
