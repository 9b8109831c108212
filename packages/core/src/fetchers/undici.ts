import { isIP, type Socket } from 'node:net'

import { buildConnector, Client } from 'undici'

import { EngineError } from '../errors/error.ts'
import type { Fetcher, MakeFetcher, WireRequest } from '../ports/fetcher.ts'
import type { Guard } from '../ports/guard.ts'
import { dial } from './dial.ts'
import { readAnswer, type Answer, type AnswerSource } from './answer.ts'
import { makeLines, type Line } from './lines.ts'
import { wireHeaders } from './wire-headers.ts'
import { wireError } from './wire-errors.ts'

export interface UndiciOptions {
  /** The longest wait for a connection, TLS included, in milliseconds. */
  readonly connectTimeout?: number
  /** The longest wait for the headers of an answer. */
  readonly headersTimeout?: number
  /** The longest silence within a body. */
  readonly bodyTimeout?: number
  /** Certificates (PEM) of authorities to trust in place of the usual ones. */
  readonly ca?: readonly string[]
}

interface UndiciLine extends Line {
  readonly client: Client
  /** Whether its present connection has not answered anything yet. */
  isFresh: boolean
  /** Ends the making of its connection. */
  signal: AbortSignal
}

// Chromium's own limit is as large.
const maxHeaderSize = 262_144
const keepAliveTimeout = 4_000
const keepAliveMaxTimeout = 30_000

/**
 * HTTP/1.1 over undici, one client for each connection. So the connection to a host is made for one request: it ends with
 * that request's signal, and whether it was used before is known when it breaks.
 *
 * HTTP/2 stays off: a page is one request, so sharing a connection saves nothing, and to end one exchange is to close
 * its socket, which no other exchange then suffers from.
 */
export function undiciFetcher(options: UndiciOptions = {}): MakeFetcher {
  return (guard) => makeFetcher(guard, options)
}

function makeFetcher(guard: Guard, options: UndiciOptions): Fetcher {
  const { connectTimeout = 15_000, headersTimeout = 60_000, bodyTimeout = 30_000 } = options
  const lines = makeLines<UndiciLine>()
  const secure = { checked: tlsConnector(options.ca, true), unchecked: tlsConnector(options.ca, false) }
  let isClosed = false

  const openLine = (key: string, { url, skipTlsVerification }: WireRequest): UndiciLine => {
    const tls = skipTlsVerification ? secure.unchecked : secure.checked
    const connect: buildConnector.connector = (target, callback) => {
      line.isFresh = true
      void handOver(openSocket(guard, tls, target, line.signal, connectTimeout), callback)
    }
    const limits = { maxHeaderSize, headersTimeout, bodyTimeout, keepAliveTimeout, keepAliveMaxTimeout }
    const client = new Client(url.origin, { connect, allowH2: false, useMilo: false, ...limits })
    const line: UndiciLine = {
      key,
      client,
      isFresh: true,
      signal: AbortSignal.abort(),
      close: (reason) => void client.destroy(reason),
    }
    client.on('disconnect', (_origin, _targets, error) => lines.lost(line, error))
    lines.add(line)
    return line
  }

  const send = (line: UndiciLine, request: WireRequest, signal: AbortSignal): Promise<Answer> => {
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
      if (isClosed) throw closed()
      guard.checkUrl(request.url)
      const key = `${request.url.origin} ${request.skipTlsVerification ? 'unchecked' : 'checked'}`
      const waiting = lines.take(key)
      const answer = await send(waiting ?? openLine(key, request), request, signal)
      if ('status' in answer) return answer
      // Hosts close connections that wait, and may do so just as a request sets out.
      const isStale = waiting !== undefined && !waiting.isFresh && !answer.hasBegun && request.method !== 'POST'
      const again = isStale && answer.error.code === 'connection_failed'
      if (!again) throw answer.error
      signal.throwIfAborted()
      const second = await send(openLine(key, request), request, signal)
      if ('status' in second) return second
      throw second.error
    },
    close: async () => {
      isClosed = true
      lines.closeAll(closed())
    },
  }
}

function sourceOf({ client }: UndiciLine, { url, method, headers, body }: WireRequest): AnswerSource {
  return (receiver) => {
    const wire = { path: url.pathname + url.search, method, headers: wireHeaders(headers), body: body ?? null }
    let pause = (): void => undefined
    let resume = (): void => undefined
    client.dispatch(wire, {
      onRequestStart: (control) => {
        pause = () => control.pause()
        resume = () => control.resume()
      },
      onResponseStarted: () => receiver.begin(),
      onResponseStart: ({ rawHeaders }, status) => {
        // What comes before the answer (100 Continue, 103 Early Hints) is not the answer.
        if (status >= 200) receiver.head(status, (rawHeaders ?? []) as readonly Buffer[])
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

/** The only place where a connection is made. It goes to the address that the guard gave, whatever the host is called. */
async function openSocket(
  guard: Guard,
  tls: TlsConnector,
  target: buildConnector.Options,
  caller: AbortSignal,
  connectTimeout: number,
): Promise<Socket> {
  const patience = AbortSignal.timeout(connectTimeout)
  const signal = AbortSignal.any([caller, patience])
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  try {
    const address = await guard.resolve(target.hostname, port, signal)
    const socket = await dial(address, port, signal)
    return target.protocol === 'https:' ? await encrypt(tls, target, socket, signal) : socket
  } catch (error) {
    if (caller.aborted || !patience.aborted) throw error
    throw new EngineError(
      'timeout',
      `The host did not accept a connection within ${connectTimeout} ms. Try again later.`,
    )
  }
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
    // A dot at the end makes a name absolute; certificates and hosts know it without.
    const servername = isIP(target.hostname) === 0 ? { servername: target.hostname.replace(/\.$/, '') } : {}
    connect({ ...target, ...servername, httpSocket: socket }, (error, encrypted) => {
      signal.removeEventListener('abort', stop)
      if (error) socket.destroy()
      if (error) reject(error)
      else resolve(encrypted)
    })
  })
}

function closed(): EngineError {
  return new EngineError('closed', 'The engine was closed. Make a new one.')
}
