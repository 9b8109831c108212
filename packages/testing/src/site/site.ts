import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'

import { bombRoutes } from './bombs.ts'
import { brokenRoutes } from './broken.ts'
import { certificate, privateKey } from './certificate.ts'
import { crawlRoutes } from './crawl.ts'
import { encodingRoutes } from './encodings.ts'
import { goodRoutes } from './good.ts'
import { hugeRoutes } from './huge.ts'
import { lieRoutes } from './lies.ts'
import { changingRoutes, cookieRoutes, echoRoutes, statusRoutes } from './plain.ts'
import { redirectRoutes } from './redirects.ts'
import { answer, answerPage, escape, type Route, type SiteState, type Visit } from './route.ts'
import { slowRoutes } from './slow.ts'
import { trapRoutes } from './traps.ts'

/** Options of the site. */
export interface SiteOptions {
  /** Number of pages in the section for crawlers. */
  readonly pages?: number
  /** Additional cases, which override the built-in ones. */
  readonly routes?: readonly Route[]
  /** Serves the site over HTTPS, with a certificate that nobody trusts. */
  readonly isSecure?: boolean
}

/** A running site, entirely on 127.0.0.1. */
export interface Site {
  /** Its origin, without a trailing slash. */
  readonly url: string
  /** A second origin with the same content. */
  readonly other: string
  /** A URL that accepts connections and never responds. */
  readonly silent: string
  /** Number of requests for a path, or for the whole site, on all origins. */
  hits(path?: string): number
  /** The last 10,000 requests. */
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

/** A request as the site received it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Every case of the site. */
export const siteRoutes: readonly Route[] = [
  { path: '/', about: 'the list of all cases', handle: (visit) => answerIndex(visit) },
  ...goodRoutes,
  ...encodingRoutes,
  ...redirectRoutes,
  ...statusRoutes,
  ...cookieRoutes,
  ...echoRoutes,
  ...changingRoutes,
  ...slowRoutes,
  ...hugeRoutes,
  ...bombRoutes,
  ...lieRoutes,
  ...brokenRoutes,
  ...crawlRoutes,
  ...trapRoutes,
]

const maxSeen = 10_000

/** Starts the site of good and bad pages for tests, on free ports of localhost. `close` cuts all connections. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const life = makeLife(options)
  // Large enough for clients that send back the large headers they got.
  const secure = { maxHeaderSize: 65_536, cert: certificate, key: privateKey }
  const servers = [life.handler, life.handler].map((handler) =>
    options.isSecure ? createSecureServer(secure, handler) : createServer({ maxHeaderSize: 65_536 }, handler),
  )
  const silent = createSocketServer((socket) => {
    life.sockets.add(socket)
    socket.on('error', () => undefined)
  })
  const [url = '', other = '', quiet = ''] = await Promise.all(
    [...servers, silent].map((server) => listen(server, options.isSecure)),
  )
  life.setOther(other)
  return {
    url,
    other,
    silent: quiet,
    hits: life.hits,
    seen: life.seen,
    async close() {
      life.end()
      for (const server of servers) server.closeAllConnections()
      await Promise.all([...servers, silent].map(closed))
    },
  }
}

/**
 * Returns the site of `startSite` as a handler for another server. Redirects to another origin lead to `other`, by default
 * `http://other.invalid`.
 */
export function siteHandler(options: SiteOptions & { readonly other?: string } = {}): RequestListener {
  const life = makeLife(options)
  life.setOther(options.other ?? 'http://other.invalid')
  return life.handler
}

function makeLife({ pages = 100, routes = [], isSecure = false }: SiteOptions) {
  const counts = new Map<string, number>()
  const hits = new Map<string, number>()
  const seen: SeenRequest[] = []
  const sockets = new Set<{ destroy(): unknown }>()
  const naps = makeNaps()
  const table = [...routes, ...siteRoutes].map((route) => ({ route, pattern: route.path.split('/') }))
  let other = ''

  const state: SiteState = {
    pages,
    other: () => other,
    originOf: (request) => `http${isSecure ? 's' : ''}://${request.headers.host ?? 'localhost'}`,
    count: (name) => bump(counts, name),
    wait: naps.wait,
  }
  const record = (request: IncomingMessage, path: string) => {
    bump(hits, path)
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      host: request.headers.host ?? '',
      headers: request.headers,
    })
    if (seen.length > maxSeen) seen.shift()
  }
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    if (!sockets.has(request.socket)) request.socket.once('close', () => sockets.delete(request.socket))
    sockets.add(request.socket)
    // Half of the cases exist for visitors that disconnect early, so errors are expected.
    response.on('error', () => undefined)
    const url = addressOf(request, state.originOf(request))
    if (!url) return void response.writeHead(400).end()
    record(request, url.pathname)
    const found = find(table, url.pathname)
    const visit = { request, response, url, parts: found?.parts ?? {}, site: state }
    void carryOut(found?.route ?? missing, visit)
  }
  return {
    handler,
    sockets,
    seen,
    hits: (path?: string) =>
      path === undefined ? [...hits.values()].reduce((sum, one) => sum + one, 0) : (hits.get(path) ?? 0),
    setOther(origin: string) {
      other = origin
    },
    end() {
      naps.end()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Creates waits that all end when the site is closed. */
function makeNaps() {
  const sleepers = new Set<() => void>()
  let isOver = false
  return {
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          sleepers.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, isOver ? 0 : ms)
        sleepers.add(wake)
      }),
    end() {
      isOver = true
      for (const wake of sleepers) wake()
    },
  }
}

const missing: Route = {
  path: '',
  about: '',
  handle: (visit) => answerPage(visit, 'No such page', '<p>There is no such page here.</p>', { status: 404 }),
}

async function carryOut(route: Route, visit: Visit): Promise<void> {
  try {
    await route.handle(visit)
  } catch (error) {
    const { response } = visit
    if (response.headersSent) response.destroy()
    else answer(visit, 'text/plain', `The case ${route.path} failed: ${String(error)}`, { status: 500 })
  }
}

interface Row {
  readonly route: Route
  readonly pattern: readonly string[]
}

function find(table: readonly Row[], path: string) {
  const segments = path.split('/')
  for (const { route, pattern } of table) {
    if (pattern.length !== segments.length) continue
    if (!pattern.every((part, index) => part.startsWith(':') || part === segments[index])) continue
    const parts = pattern.flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), decode(segments[index] ?? '')] as const] : [],
    )
    return { route, parts: Object.fromEntries(parts) }
  }
  return undefined
}

// A request to a proxy contains an absolute URL; a path may begin with two slashes.
function addressOf({ url = '/' }: IncomingMessage, origin: string): URL | undefined {
  return URL.parse(url.startsWith('/') ? origin + url : url) ?? undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function answerIndex(visit: Visit): void {
  const rows = siteRoutes.map(({ path, about }) => `<li><code>${path}</code>: ${escape(about)}</li>`)
  answerPage(visit, 'Good and bad pages', `<ul>${rows.join('')}</ul>`)
}

function bump(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count
}

function listen(server: Server, isSecure = false): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () =>
      resolve(`http${isSecure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}
