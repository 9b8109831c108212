// Thirteen hosts on localhost, each behind another kind of wall, and a proxy with an address that is banned nowhere.
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createSecureServer as createHttp2Server } from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'

import { goodCertificate, key } from '../../../packages/net/test/certificates.ts'

export const wallNames = [
  'status',
  'headers',
  'tls',
  'hello',
  'cookie',
  'rate',
  'ban',
  'honeypot',
  'login',
  'soft',
  'script',
  'interstitial',
  'captcha',
] as const
export type WallName = (typeof wallNames)[number]

export interface WallHost {
  /** Ends with a slash. */
  readonly url: string
  /** Requests for pages, as `GET /path`. */
  readonly requests: string[]
}

export interface Walls {
  readonly hosts: Readonly<Record<WallName, WallHost>>
  /** URL of a proxy that no host has banned. */
  readonly proxy: string
  close(): Promise<void>
}

interface Visitor {
  /** True if the request came through the proxy. */
  readonly isForeign: boolean
  /** True if the TLS hello has the reserved values that browsers send (RFC 8701). */
  readonly hasGrease: boolean
}

type Guardian = (request: IncomingMessage, response: ServerResponse, visitor: Visitor) => boolean

const paragraph = '<p>This paragraph is the content of the page, and long enough that it counts as content.</p>'
const passed = (path: string): string =>
  `<!doctype html><title>Page</title><main><h1>Behind the wall</h1><p>${path}</p>${paragraph.repeat(4)}</main>`

function respond(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  return true
}

const hasPass = ({ headers }: IncomingMessage): boolean => headers.cookie?.includes('pass=1') === true
const setPass = 'document.cookie = "pass=1; path=/"; location.reload()'
const browserHeaders = ['accept-language', 'sec-ch-ua', 'sec-fetch-mode', 'upgrade-insecure-requests']

/** Each returns true if it has answered instead of the page. */
function guardians(): Readonly<Record<WallName, Guardian>> {
  let isTrapped = false
  let lastAt = -Infinity
  return {
    status: (_, response, { isForeign }) => !isForeign && respond(response, 403, ''),
    headers: ({ headers }, response) =>
      browserHeaders.some((name) => headers[name] === undefined) && respond(response, 403, '<h1>Forbidden</h1>'),
    tls: (_, response, { hasGrease }) => !hasGrease && respond(response, 403, '<h1>Forbidden</h1>'),
    // Connections of other clients are closed during the TLS handshake.
    hello: () => false,
    cookie: (request, response) => !hasPass(request) && respond(response, 200, `<script>${setPass}</script>`),
    // One request in a second.
    rate: (_, response) => {
      const now = performance.now()
      if (now - lastAt > 1_000) {
        lastAt = now
        return false
      }
      return respond(response, 429, '<h1>Too many requests</h1>', { 'retry-after': '1' })
    },
    ban: (_, response, { isForeign }) =>
      !isForeign && respond(response, 403, '<h1>Forbidden</h1><p>Your IP address has been banned.</p>'),
    honeypot: ({ url }, response) => {
      isTrapped ||= url === '/trap'
      if (isTrapped) return respond(response, 403, '<h1>Forbidden</h1>')
      const links = '<a href="/second">Next page</a><a href="/trap" style="display:none">Do not follow</a>'
      return respond(response, 200, passed(url ?? '').replace('</main>', `${links}</main>`))
    },
    login: ({ url = '' }, response) => {
      if (!url.startsWith('/login')) return respond(response, 302, '', { location: `/login?next=${url}` })
      return respond(response, 200, '<h1>Log in</h1><form><input name="user"><input type="password"></form>')
    },
    soft: (_, response, { hasGrease }) =>
      !hasGrease && respond(response, 200, '<h1>Access denied</h1><p>We have detected unusual traffic.</p>'),
    script: (request, response) => {
      if (request.url === '/check.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(setPass)
        return true
      }
      return !hasPass(request) && respond(response, 200, '<div id="root"></div><script src="/check.js"></script>')
    },
    interstitial: (request, response) => {
      const script = `setTimeout(() => { ${setPass} }, 200)`
      const page = `<title>Just a moment...</title><p>Checking your browser.</p><script>${script}</script>`
      return !hasPass(request) && respond(response, 503, page)
    },
    captcha: (_, response) =>
      respond(
        response,
        200,
        '<p>Please show that you are not a robot.</p><form><div class="g-recaptcha"></div></form>',
      ),
  }
}

/** Starts the hosts and the proxy on free ports of localhost. */
export async function startWalls(): Promise<Walls> {
  const foreign = new Set<number | undefined>()
  const servers: Server[] = []
  const entries: [WallName, WallHost][] = []
  const guards = guardians()
  for (const name of wallNames) {
    const isSecure = name === 'tls' || name === 'soft' || name === 'hello'
    const requests: string[] = []
    const greased = new Set<number | undefined>()
    const listener: RequestListener = (request, response) => {
      const { url = '', socket } = request
      if (url === '/favicon.ico' || url === '/robots.txt') return void response.writeHead(404).end()
      requests.push(`${request.method} ${url}`)
      const visitor = { isForeign: foreign.has(socket.remotePort), hasGrease: greased.has(socket.remotePort) }
      if (!guards[name](request, response, visitor)) respond(response, 200, passed(url))
    }
    const server = isSecure ? secureServer(listener, greased, name === 'hello') : createServer(listener)
    servers.push(server)
    entries.push([name, { url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${await listening(server)}/`, requests }])
  }
  const proxy = proxyServer(foreign)
  servers.push(proxy)
  return {
    // Cast: every name has an entry.
    hosts: Object.fromEntries(entries) as Record<WallName, WallHost>,
    proxy: `http://127.0.0.1:${await listening(proxy)}`,
    close: async () => {
      await Promise.all(servers.map(closed))
    },
  }
}

const sockets = new WeakMap<Server, Set<Socket>>()

async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>()
  sockets.set(server, open)
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function closed(server: Server): Promise<void> {
  for (const socket of sockets.get(server) ?? []) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}

/**
 * Serves HTTPS and notes the remote ports whose TLS hello has reserved values. A strict server closes the connections of all
 * others, and offers HTTP/2 only.
 */
function secureServer(listener: RequestListener, greased: Set<number | undefined>, isStrict: boolean): Server {
  const options = { cert: goodCertificate, key }
  const secure = isStrict
    ? createHttp2Server(options, (request, response) => {
        // Cast: the requests and responses of both versions have the members that the walls use.
        listener(
          request as unknown as IncomingMessage,
          response as unknown as ServerResponse<IncomingMessage> & { req: IncomingMessage },
        )
      })
    : createSecureServer({ ...options, ALPNProtocols: ['http/1.1'] }, listener)
  return net.createServer((socket) => {
    socket.once('data', (hello) => {
      socket.pause()
      if (hasGrease(hello)) greased.add(socket.remotePort)
      else if (isStrict) return void socket.destroy()
      socket.unshift(hello)
      secure.emit('connection', socket)
    })
  })
}

/** Returns whether the cipher suites of a TLS hello include a reserved value: two equal bytes that end in `a`. */
function hasGrease(hello: Buffer): boolean {
  const session = 43
  const start = session + 1 + (hello[session] ?? 0)
  const end = start + 2 + hello.readUInt16BE(start)
  for (let at = start + 2; at + 1 < Math.min(end, hello.length); at += 2)
    if (hello[at] === hello[at + 1] && ((hello[at] ?? 0) & 15) === 10) return true
  return false
}

/** A proxy whose connections the hosts recognize by their port, as if they came from another address. */
function proxyServer(foreign: Set<number | undefined>): Server {
  const dial = (port: number): Socket => {
    const socket = net.connect(port, '127.0.0.1')
    return socket.on('connect', () => foreign.add(socket.localPort)).on('error', () => socket.destroy())
  }
  const server = createServer((incoming, answer) => {
    const { port, pathname, search } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const outgoing = ask(
      { createConnection: () => dial(Number(port)), method, path: pathname + search, headers },
      (came) => came.pipe(answer.writeHead(came.statusCode ?? 502, came.headers)),
    )
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  server.on('connect', ({ url = '' }: IncomingMessage, near: Socket) => {
    const far = dial(Number(url.split(':').at(-1)))
    far.on('connect', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      near.pipe(far).pipe(near)
    })
    near.on('close', () => far.destroy()).on('error', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  return server
}
