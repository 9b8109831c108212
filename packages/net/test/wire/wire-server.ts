import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import tls from 'node:tls'

import { parseClientHello, recordLength, type ClientHello } from './client-hello.ts'
import { readHttp2Start, type Http2Start } from './http2-frames.ts'

/** A connection of a client, below HTTP. */
export interface WireConnection {
  readonly hello: ClientHello
  readonly alpn: string | undefined
  /** Present from the first request on, over HTTP/2. */
  http2: Http2Start | undefined
}

/** A request with the connection that it came on. */
export interface WireVisit {
  readonly connection: WireConnection
  readonly method: string
  readonly path: string
  /** In the order and case sent. Over HTTP/2, the pseudo headers come first. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Returns the response to a request. */
export type WireAnswers = (visit: WireVisit) => {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface WireServer {
  readonly port: number
  /** Connections so far, including those without a request. */
  readonly connections: readonly WireConnection[]
  close(): Promise<void>
}

export interface WireOptions {
  readonly cert: string
  readonly key: string
  /** Protocols that the server offers. Default: HTTP/2 and HTTP/1.1. */
  readonly alpn?: readonly string[]
}

/**
 * Starts an HTTPS server on localhost that records the ClientHello of each connection, its first HTTP/2 frames, and the order
 * of its headers.
 */
export async function serveWire(answers: WireAnswers, { cert, key, alpn }: WireOptions): Promise<WireServer> {
  const connections: WireConnection[] = []
  const hellos = new WeakMap<object, ClientHello>()
  const byPort = new Map<number, WireConnection>()
  const sockets = new Set<Socket>()
  const hold = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
  }
  const handle = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    const connection = byPort.get(request.socket.remotePort ?? 0)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!connection) return void response.end()
      const { method = '', url: path = '' } = request
      const body = Buffer.concat(chunks).toString()
      const answer = answers({ connection, method, path, headers: pairs(request.rawHeaders), body })
      response.statusCode = answer.status ?? 200
      for (const [name, value] of Object.entries({ 'content-type': 'text/html', ...answer.headers }))
        response.setHeader(name, value)
      response.end(answer.body)
    })
  }
  // The decrypted bytes go through a local connection, so that they can be recorded.
  const plain = { h2: http2.createServer(handle), 'http/1.1': http.createServer(handle) }
  const ports = { h2: await listen(plain.h2), 'http/1.1': await listen(plain['http/1.1']) }

  const secure = tls.createServer({ cert, key, ALPNProtocols: [...(alpn ?? ['h2', 'http/1.1'])] }, (socket) => {
    hold(socket)
    const hello = hellos.get((socket as unknown as { _parent: object })._parent)
    if (!hello) return void socket.destroy()
    const protocol = socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'
    const connection: WireConnection = { hello, alpn: socket.alpnProtocol || undefined, http2: undefined }
    connections.push(connection)
    const inner = net.connect(ports[protocol], '127.0.0.1', () => {
      byPort.set(inner.localPort ?? 0, connection)
      if (protocol === 'h2') recordStart(socket, connection)
      socket.pipe(inner).pipe(socket)
    })
    hold(inner)
    socket.once('close', () => inner.destroy())
    inner.once('close', () => socket.destroy())
  })
  const server = net.createServer((socket) => {
    hold(socket)
    readHello(socket, (hello) => {
      hellos.set(socket, hello)
      secure.emit('connection', socket)
    })
  })
  const port = await listen(server)
  return {
    port,
    connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all([server, plain.h2, plain['http/1.1']].map((one) => new Promise((done) => one.close(done))))
    },
  }
}

function readHello(socket: Socket, done: (hello: ClientHello) => void): void {
  let bytes = Buffer.alloc(0)
  const read = (): void => {
    const chunk = socket.read() as Buffer | null
    if (!chunk) return
    bytes = Buffer.concat([bytes, chunk])
    const length = recordLength(bytes)
    if (length === undefined) return
    socket.off('readable', read)
    socket.unshift(bytes)
    done(parseClientHello(bytes.subarray(0, length)))
  }
  socket.on('readable', read)
}

function recordStart(socket: Socket, connection: WireConnection): void {
  let bytes = Buffer.alloc(0)
  const record = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk])
    connection.http2 = readHttp2Start(bytes)
    if (connection.http2) socket.off('data', record)
  }
  socket.on('data', record)
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const)
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
