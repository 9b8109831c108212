import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

import { key } from './certificates.ts'

/** A server on loopback that ends with the test. */
export interface Served {
  readonly origin: string
  readonly port: number
  /** How many connections it has seen. */
  connections(): number
  /** Resolves when a raw server has got anything, and what it wrote at once has left. */
  asked(): Promise<void>
  /** Resolves when no connection is open. */
  idle(): Promise<void>
  /** Closes what is open; new connections are still taken. */
  cut(): void
}

export function serve(handler: RequestListener): Promise<Served> {
  return listen(http.createServer({ keepAliveTimeout: 60_000 }, handler), 'http')
}

export function serveTls(certificate: string, handler: RequestListener): Promise<Served> {
  return listen(https.createServer({ key, cert: certificate }, handler), 'https')
}

/** Answers with bytes, whatever they are. */
export function serveRaw(onSocket: (socket: Socket) => unknown): Promise<Served> {
  return listen(net.createServer(onSocket), 'http')
}

/** Answers the first line and headers of each request with what is given, once they have come. */
export function serveText(answer: string | Buffer, after: (socket: Socket) => void = () => undefined): Promise<Served> {
  return serveRaw((socket) => {
    socket.on('data', () => {
      socket.write(answer, 'latin1')
      after(socket)
    })
  })
}

async function listen(server: Server, scheme: string): Promise<Served> {
  const open = new Set<Socket>()
  let count = 0
  let settled: () => void = () => undefined
  const asked = Promise.withResolvers<void>()
  server.on('connection', (socket: Socket) => {
    count += 1
    open.add(socket)
    socket.on('error', () => undefined)
    // Reading for it must not start an HTTP server's sockets before it is ready for them.
    if (!(server instanceof http.Server)) socket.once('data', () => socket.write('', () => asked.resolve()))
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) settled()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(async () => {
    cut()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    port,
    connections: () => count,
    asked: () => asked.promise,
    idle: () =>
      new Promise((resolve) => {
        settled = resolve
        if (open.size === 0) resolve()
      }),
    cut,
  }
}
