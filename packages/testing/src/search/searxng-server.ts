import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response to a search: results, a status, a raw body, or a malfunction. */
export type SearxngReply =
  | { readonly results: readonly object[] }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly raw: string; readonly type?: string }
  /** Sends this many bytes of a list that does not end. */
  | { readonly flood: number }
  | { readonly brokenOff: string }
  | 'silence'
  | 'hang up'
  | ((parameters: URLSearchParams) => SearxngReply)

/** A SearXNG instance on localhost. */
export interface SearxngServer {
  /** The URL of the instance. */
  readonly url: string
  /** The parameters of every search, in order. */
  readonly searches: readonly URLSearchParams[]
  /** The paths of all requests. */
  readonly paths: readonly string[]
  /** Number of requests whose connection is still open. */
  readonly open: number
  /** Replaces the response. */
  script(reply: SearxngReply): void
  close(): Promise<void>
}

/**
 * Starts a SearXNG instance with scripted responses on a free port of localhost, over real HTTP. Other paths than the search
 * respond with 404.
 */
export async function startSearxngServer(first: SearxngReply = { results: [] }): Promise<SearxngServer> {
  const searches: URLSearchParams[] = []
  const paths: string[] = []
  let reply = first
  let open = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    response.on('error', () => undefined)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    paths.push(pathname)
    if (!pathname.endsWith('/search')) return void response.writeHead(404).end('<html>Page not found</html>')
    searches.push(searchParams)
    send(settled(reply, searchParams), response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    searches,
    paths,
    get open() {
      return open
    },
    script: (next) => {
      reply = next
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

type Data = Exclude<SearxngReply, (parameters: URLSearchParams) => unknown>

function settled(reply: SearxngReply, parameters: URLSearchParams): Data {
  return typeof reply === 'function' ? settled(reply(parameters), parameters) : reply
}

const json = { 'content-type': 'application/json' }

function send(reply: Data, response: ServerResponse): void {
  if (reply === 'silence') return
  if (reply === 'hang up') return void response.destroy()
  if ('results' in reply) return void response.writeHead(200, json).end(JSON.stringify({ query: '', ...reply }))
  if ('status' in reply) return void response.writeHead(reply.status, reply.headers).end(reply.body)
  if ('raw' in reply)
    return void response.writeHead(200, { 'content-type': reply.type ?? json['content-type'] }).end(reply.raw)
  response.writeHead(200, json)
  if ('brokenOff' in reply) return void response.write(reply.brokenOff, () => response.destroy())
  flood(reply.flood, response)
}

function flood(bytes: number, response: ServerResponse): void {
  const piece = '{"url":"https://a.example/","title":"again"},'.repeat(1_000)
  response.write('{"results":[')
  for (let sent = 0; sent < bytes; sent += piece.length) response.write(piece)
  response.end('{}]}')
}
