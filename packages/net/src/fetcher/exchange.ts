import { isIP, type Socket } from 'node:net'

import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'

import type { EngineError, Fetcher, Guard, WireRequest } from '@harvestman/ports'
import { parseProxy, type ParsedProxy } from '../connect/proxy-address.ts'
import { proxyFailed, refuseInternal } from '../connect/proxy.ts'
import { connectWithin, isForwarded, portOf, reach, type Way } from '../connect/reach.ts'
import { readAnswer, type WireAnswer, type AnswerSource } from './answer.ts'
import { exchangeOnLines, keyOf, makeLines, type Line } from './lines.ts'
import { headerPairs, wireHeaders } from './wire-headers.ts'
import { wireError } from './wire-errors.ts'

/** Options of `undiciFetcher`. */
export interface UndiciOptions {
  /** Maximum time to connect, including TLS, in milliseconds. Default: 15,000. */
  readonly connectTimeout?: number
  /** Maximum time until the headers of a response, in milliseconds. Default: 60,000. */
  readonly headersTimeout?: number
  /** Maximum time without data within a body, in milliseconds. Default: 30,000. */
  readonly bodyTimeout?: number
  /** Certificates (PEM) of authorities to trust instead of the default ones. */
  readonly ca?: readonly string[]
}

interface UndiciLine extends Line {
  readonly client: Client
  readonly proxy: ParsedProxy | undefined
  /** Whether the current connection has not received any response yet. */
  isFresh: boolean
  /** Aborts the connection attempt. */
  signal: AbortSignal
}

// The same limit as in Chromium.
const maxHeaderSize = 262_144
const keepAliveTimeout = 4_000
const keepAliveMaxTimeout = 30_000

/**
 * Creates a fetcher for HTTP/1.1 over undici, with one client per connection. So each connection is opened for one request and
 * ends with that request's signal, and it is known whether a broken connection had been used before. HTTP/2 stays off: a page
 * is one request, so sharing a connection saves nothing, and an exchange can be ended by closing its socket without affecting
 * others. Exchanges reject with an `EngineError`, or with the signal's reason.
 */
export function openFetcher(guard: Guard, options: UndiciOptions, closed: () => EngineError): Fetcher {
  const { connectTimeout = 15_000, headersTimeout = 60_000, bodyTimeout = 30_000 } = options
  const lines = makeLines<UndiciLine>()
  const secure = { checked: tlsConnector(options.ca, true), unchecked: tlsConnector(options.ca, false) }
  const openLine = (key: string | undefined, { url, skipTlsVerification, proxy }: WireRequest): UndiciLine => {
    const via = proxy && parseProxy(proxy.url)
    const tls = skipTlsVerification ? secure.unchecked : secure.checked
    const connect: buildConnector.connector = (target, callback) => {
      line.isFresh = true
      void handOver(
        openSocket({ guard, tls, via, connectTimeout, onBytes: proxy?.onBytes }, target, line.signal),
        callback,
      )
    }
    const limits = { maxHeaderSize, headersTimeout, bodyTimeout, keepAliveTimeout, keepAliveMaxTimeout }
    const client = new Client(url.origin, { connect, allowH2: false, useMilo: false, ...limits })
    const line: UndiciLine = {
      key,
      client,
      proxy: via,
      isFresh: true,
      signal: AbortSignal.abort(),
      close: (reason) => void client.destroy(reason),
    }
    client.on('disconnect', (_origin, _targets, error) => lines.lost(line, error))
    lines.add(line)
    return line
  }

  const send = (line: UndiciLine, request: WireRequest, signal: AbortSignal): Promise<WireAnswer> => {
    line.signal = signal
    return readAnswer(sourceOf(line, request), request, signal, {
      complete: () => {
        line.isFresh = false
        lines.keep(line)
      },
      cut: (reason) => lines.drop(line, reason),
    })
  }

  return {
    exchange: async (request, signal) => {
      signal.throwIfAborted()
      guard.checkUrl(request.url)
      if (request.proxy) await refuseInternal(request.url.hostname, portOf(request.url), guard, signal)
      return exchangeOnLines(lines, keyOf(request), request, signal, {
        open: (key) => openLine(key, request),
        send,
        isUsed: (line) => !line.isFresh,
      })
    },
    close: async () => {
      lines.closeAll(closed())
    },
  }
}

function sourceOf({ client, proxy }: UndiciLine, { url, method, headers, body }: WireRequest): AnswerSource {
  return (receiver) => {
    const isForProxy = isForwarded(proxy, url)
    const path = (isForProxy ? url.origin : '') + url.pathname + url.search
    const proof = isForProxy && proxy.authorization ? { 'proxy-authorization': proxy.authorization } : {}
    const wire = { path, method, headers: wireHeaders({ ...headers, ...proof }), body: body ?? null }
    let pause = (): void => undefined
    let resume = (): void => undefined
    client.dispatch(wire, {
      onRequestStart: (control) => {
        pause = () => control.pause()
        resume = () => control.resume()
      },
      onResponseStarted: () => receiver.begin(),
      onResponseStart: ({ rawHeaders }, status) => {
        // Informational responses (100 Continue, 103 Early Hints) precede the actual response.
        if (isForProxy && status === 407) receiver.fail(proxyFailed(undefined, status))
        else if (status >= 200) receiver.head(status, headerPairs((rawHeaders ?? []) as readonly Buffer[]))
      },
      onResponseData: (_control, chunk) => receiver.data(chunk),
      onResponseEnd: () => receiver.end(),
      onResponseError: (_control, error) => receiver.fail(wireError(error, url.hostname)),
    })
    return { pause: () => pause(), resume: () => resume() }
  }
}

async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  const [opened] = await Promise.allSettled([opening])
  if (opened.status === 'fulfilled') callback(null, opened.value)
  else callback(opened.reason as Error, null)
}

type TlsConnector = ReturnType<typeof buildConnector>

function tlsConnector(ca: readonly string[] | undefined, isChecked: boolean): TlsConnector {
  return buildConnector({ allowH2: false, timeout: 0, rejectUnauthorized: isChecked, ...(ca && { ca: [...ca] }) })
}

interface Ways extends Way {
  readonly tls: TlsConnector
  readonly connectTimeout: number
}

/** Opens a connection. No other function does. */
function openSocket(ways: Ways, target: buildConnector.Options, caller: AbortSignal): Promise<Socket> {
  return connectWithin(ways.connectTimeout, caller, async (signal) => {
    const socket = await reach(ways, target, signal)
    return target.protocol === 'https:' ? encrypt(ways.tls, target, socket, signal) : socket
  })
}

function encrypt(
  connect: TlsConnector,
  target: buildConnector.Options,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      socket.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    // A trailing dot makes a name absolute; certificates and hosts expect the name without it.
    const servername = isIP(target.hostname) === 0 ? { servername: target.hostname.replace(/\.$/, '') } : {}
    connect({ ...target, ...servername, httpSocket: socket }, (error, encrypted) => {
      signal.removeEventListener('abort', stop)
      if (error) socket.destroy()
      if (error) reject(error)
      else resolve(encrypted)
    })
  })
}
