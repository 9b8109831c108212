import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

/** A small proxy on loopback that ends with the test, and remembers what it was asked for. */
export interface TestProxy {
  readonly port: number
  readonly url: string
  /** `GET http://…` for what it read itself, `CONNECT host:port` and `SOCKS host:port` for tunnels. */
  readonly asked: string[]
  /** The headers of what it read itself. */
  readonly headers: http.IncomingHttpHeaders[]
}

export interface TestProxyOptions {
  /** `name:word`; whoever does not say so is refused. */
  readonly credentials?: string
  /** Where every name leads: a proxy may know names that we do not. */
  readonly all?: { readonly host: string; readonly port: number }
  /** Value of the header `via` of the requests that it forwards. */
  readonly via?: string
}

export async function httpProxy({ credentials, all, via }: TestProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const proof = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = http.createServer((request, response) => {
    if (proof && request.headers['proxy-authorization'] !== proof) return void response.writeHead(407).end()
    asked.push(`${request.method} ${request.url}`)
    headers.push(request.headers)
    const { hostname, port, pathname, search } = new URL(request.url ?? '')
    const { 'proxy-authorization': _, ...rest } = request.headers
    const to = all ?? { host: hostname, port }
    const forwarded = http.request(
      {
        ...to,
        method: request.method,
        path: pathname + search,
        headers: { ...rest, ...(via !== undefined && { via }) },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.writeHead(502).end())
    request.pipe(forwarded)
  })
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined)
    if (proof && request.headers['proxy-authorization'] !== proof) return void socket.end('HTTP/1.1 407 No\r\n\r\n')
    asked.push(`CONNECT ${request.url}`)
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(request.url ?? '') ?? []
    join(socket, all ?? { host, port: Number(port) }, 'HTTP/1.1 200 Go\r\n\r\n')
  })
  const port = await opened(server)
  return { port, url: `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`, asked, headers }
}

export async function socksProxy({ credentials, all }: TestProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = []
  const serveOne = async (socket: Socket): Promise<void> => {
    socket.on('error', () => undefined)
    const read = reader(socket)
    const [, count = 0] = await read(2)
    const methods = await read(count)
    const method = credentials ? 2 : 0
    if (!methods.includes(method)) return void socket.end(Buffer.from([5, 255]))
    socket.write(Buffer.from([5, method]))
    if (credentials) {
      const [, nameLength = 0] = await read(2)
      const name = (await read(nameLength)).toString()
      const [wordLength = 0] = await read(1)
      const isRight = `${name}:${(await read(wordLength)).toString()}` === credentials
      socket.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return void socket.end()
    }
    const [, , , , hostLength = 0] = await read(5)
    const host = (await read(hostLength)).toString()
    const port = (await read(2)).readUInt16BE()
    asked.push(`SOCKS ${host}:${port}`)
    join(socket, all ?? { host, port }, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  }
  const server = net.createServer((socket) => void serveOne(socket))
  const port = await opened(server)
  return { port, url: `socks5://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`, asked, headers: [] }
}

function join(socket: Socket, to: { readonly host: string; readonly port: number }, greeting: string | Buffer): void {
  const far = net.connect(to)
  far.on('error', () => socket.destroy())
  far.once('connect', () => {
    socket.write(greeting)
    socket.pipe(far).pipe(socket)
  })
}

function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    if (count === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes = socket.read(count) as Buffer | null
      if (bytes) return bytes
      await new Promise((resolve) => socket.once('readable', resolve))
    }
  }
}

async function opened(server: net.Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
