import net, { type Socket } from 'node:net'
import tls from 'node:tls'

import { EngineError, type Guard, type Proxy } from '@harvestman/ports'
import type { ParsedProxy } from './proxy-address.ts'
import { dial } from './dial.ts'

/** Options of a connection to a proxy. */
export interface DialProxyOptions {
  /** Maximum time to connect, in milliseconds. Default: 10,000. */
  readonly within?: number | undefined
  readonly onBytes?: Proxy['onBytes']
}

/**
 * Connects to the proxy itself, which must pass the guard like any other host. Rejects with `connection_failed` if it is not
 * reached in time, with `not_configured` if the guard blocks it, and with the signal's reason if it is aborted.
 */
export async function dialProxy(
  proxy: ParsedProxy,
  guard: Guard,
  caller: AbortSignal,
  { within = 10_000, onBytes }: DialProxyOptions = {},
): Promise<Socket> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(within)])
  try {
    const address = await guard.resolve(proxy.host, proxy.port, signal)
    const socket = await dial(address, proxy.port, signal)
    if (onBytes) countBytes(socket, onBytes)
    return proxy.kind === 'https' ? await secured(socket, proxy.host, signal) : socket
  } catch (error) {
    caller.throwIfAborted()
    throw EngineError.is(error) && error.code === 'url_blocked' ? closedProxy(error) : proxyFailed(error)
  }
}

const countsEvery = 1_000

/** Reports the bytes of a connection every second, because it may stay open for hours, and when it is closed. */
function countBytes(socket: Socket, onBytes: NonNullable<Proxy['onBytes']>): void {
  let counted = 0
  const count = (): void => {
    const all = socket.bytesRead + socket.bytesWritten
    if (all > counted) onBytes(all - counted)
    counted = Math.max(all, counted)
  }
  const timer = setInterval(count, countsEvery).unref()
  socket.once('close', () => {
    clearInterval(timer)
    count()
  })
}

/**
 * Rejects with `url_blocked` if the guard blocks the target host. A host name that cannot be resolved here is allowed, because
 * the proxy may know it.
 */
export async function refuseInternal(host: string, port: number, guard: Guard, signal: AbortSignal): Promise<void> {
  try {
    await guard.resolve(host, port, signal)
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'dns_failed') throw error
  }
}

function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const name = net.isIP(host) === 0 ? { servername: host } : {}
  const line = tls.connect({ socket, host, ...name })
  return new Promise((resolve, reject) => {
    const stop = (): void => fail(signal.reason)
    const done = (): void => {
      signal.removeEventListener('abort', stop)
      resolve(line)
    }
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', stop)
      line.destroy()
      reject(error)
    }
    signal.addEventListener('abort', stop, { once: true })
    line.once('secureConnect', done)
    // The listener stays: an unhandled error of a connection would end the process.
    line.on('error', fail)
  })
}

/**
 * Returns the `connection_failed` error for a failed proxy connection. `status` is the HTTP status or the SOCKS5 reply code of
 * the proxy; 407 means that it rejects the user name and password. The message contains neither credentials nor the URL of the
 * proxy, which belong to the operator.
 */
export function proxyFailed(cause?: unknown, status?: number): EngineError {
  const why = status === 407 ? 'It rejects the user name and password.' : 'It may be down, or refuse this host.'
  const details = { proxy: true, ...(status !== undefined && { status }) }
  return new EngineError('connection_failed', `The proxy did not open the connection. ${why}`, { cause, details })
}

function closedProxy(cause: unknown): EngineError {
  const message = 'The address of the proxy is not allowed. If it is yours, add it to allowPrivate.'
  return new EngineError('not_configured', message, { cause, details: { port: 'proxies', because: 'The proxy' } })
}
