import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { EngineError, type Guard } from '@harvestman/ports'
import { nodeHttp } from '@harvestman/toolbox/node-http'
import { dialProxy, proxyFailed, refuseInternal } from '@harvestman/net/connect'

import { destinationOf, type Route } from './route.ts'

// Headers that apply to one connection only, and must not be forwarded.
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'transfer-encoding',
])

/** Marks a response as our own refusal. Its value is secret, so that hosts cannot forge it. */
export const refusalHeader = 'x-harvestman-refusal'

const maxHeaderBytes = 262_144

/** Creates the pool of keep-alive connections of a route. Each is opened to an IP that the guard resolved. */
export function agentOf(route: Route, guard: Guard): Agent {
  const { upstream } = route
  const agent = new (nodeHttp().Agent)({ keepAlive: true, maxSockets: 32, scheduling: 'lifo' })
  agent.createConnection = (options: { host: string; port: number }, done: ConnectionDone) => {
    const destination = { host: options.host.replace(/^\[|\]$/g, ''), port: options.port }
    const opening =
      upstream && speaksHttp(route)
        ? dialProxy(upstream, guard, route.signal, { onBytes: route.onBytes }).then(route.hold)
        : route.connect(destination)
    opening.then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
    return undefined
  }
  return agent
}

/** Returns whether the upstream proxy forwards plain HTTP requests itself. */
function speaksHttp({ upstream }: Route): boolean {
  return upstream !== undefined && upstream.kind !== 'socks5'
}

type ConnectionDone = (error: Error | null, socket?: Duplex) => void

/**
 * Forwards a plain HTTP request of the browser. Responds with 403 if the guard blocks the URL, and with 502 for other failures.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  agent: Agent,
  guard: Guard,
): void {
  const url = URL.parse(request.url ?? '')
  const refuse = (error: unknown): void => {
    const failure = route.note(url ? destinationOf(url) : { host: '', port: 0 }, error)
    if (response.headersSent) return void response.destroy()
    response.writeHead(failure.code === 'url_blocked' ? 403 : 502, {
      [refusalHeader]: route.mark,
      'content-length': 0,
      'cache-control': 'no-store',
    })
    response.end()
  }
  const attempt = (): void =>
    void prepare(request, url, route, agent, guard).then((outgoing) => {
      const failed = (error: unknown): void => (isStale(outgoing, request, response) ? attempt() : refuse(error))
      exchange(outgoing, request, response, failed, speaksHttp(route))
    }, refuse)
  attempt()
}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns whether the host closed a keep-alive connection before it responded. Like browsers, we then repeat the request. Each
 * attempt uses up a pooled connection, so the number of attempts is limited.
 */
function isStale(
  outgoing: ClientRequest,
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const isOpen = !response.headersSent && !response.destroyed
  return outgoing.reusedSocket && isOpen && !hasBody && repeatable.has(method)
}

async function prepare(
  request: IncomingMessage,
  url: URL | null,
  route: Route,
  agent: Agent,
  guard: Guard,
): Promise<ClientRequest> {
  if (url?.protocol !== 'http:') throw new EngineError('url_blocked', 'Only http:// requests are forwarded.')
  route.check(url)
  const { upstream } = route
  const { host, port } = destinationOf(url)
  const throughHttp = upstream && speaksHttp(route)
  if (throughHttp) await refuseInternal(host, port, guard, route.signal)
  return nodeHttp().request({
    agent,
    host: throughHttp ? upstream.host : host,
    port: throughHttp ? upstream.port : port,
    method: request.method,
    path: throughHttp ? url.href : `${url.pathname}${url.search}`,
    headers: outgoingHeaders(request, throughHttp ? upstream.authorization : undefined),
    setDefaultHeaders: false,
    maxHeaderSize: maxHeaderBytes,
    // Browsers accept slightly invalid HTTP, so this proxy must too.
    insecureHTTPParser: true,
    signal: route.signal,
  })
}

function exchange(
  outgoing: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: (error: unknown) => void,
  isOfProxy: boolean,
): void {
  outgoing.on('error', refuse)
  outgoing.on('response', (answer) => {
    if (isOfProxy && answer.statusCode === 407) {
      answer.destroy()
      return refuse(proxyFailed(undefined, 407))
    }
    try {
      response.writeHead(answer.statusCode ?? 502, reason(answer.statusMessage), incomingHeaders(answer))
    } catch (error) {
      answer.destroy()
      return refuse(error)
    }
    // An incomplete response must not look complete.
    answer.on('error', () => response.destroy())
    answer.on('close', () => void (answer.complete || response.destroy()))
    answer.pipe(response)
  })
  response.on('close', () => outgoing.destroy())
  request.pipe(outgoing)
}

function outgoingHeaders({ rawHeaders, headers }: IncomingMessage, authorization: string | undefined): string[] {
  const outgoing = withoutHops(rawHeaders, headers.connection)
  outgoing.push('Connection', 'keep-alive')
  if (headers['transfer-encoding']) outgoing.push('Transfer-Encoding', 'chunked')
  if (authorization) outgoing.push('Proxy-Authorization', authorization)
  return outgoing
}

function incomingHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  return withoutHops(rawHeaders, headers.connection)
}

function withoutHops(raw: readonly string[], connection: string | undefined): string[] {
  const named = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const endToEnd: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    const small = name.toLowerCase()
    if (hopByHop.has(small) || named.has(small) || small === refusalHeader || !isSendable(name, value)) continue
    endToEnd.push(name, value)
  }
  return endToEnd
}

function isSendable(name: string, value: string): boolean {
  try {
    nodeHttp().validateHeaderName(name)
    nodeHttp().validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

function reason(text: string | undefined): string {
  return (text ?? '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
