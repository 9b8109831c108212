import net from 'node:net'

import { EngineError } from '@harvestman/core'
import type { Guard } from '@harvestman/core/ports'

import { race } from '../lib/race.ts'
import { dial, secure, type Destination } from './dial.ts'

/** A proxy that traffic is handed on to. */
export interface Upstream {
  readonly kind: 'http' | 'https' | 'socks5'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** What an HTTP proxy is told with every request. */
  readonly authorization: string | undefined
}

const defaultPorts: Readonly<Record<Upstream['kind'], number>> = { http: 80, https: 443, socks5: 1080 }

/** Reads the address of a proxy: `http://name:word@host:port`, `https://…` or `socks5://…`. */
export function parseUpstream(text: string): Upstream {
  const url = URL.parse(text)
  const kind = url?.protocol.replace(/h?:$/, '')
  if (!url?.hostname || (kind !== 'http' && kind !== 'https' && kind !== 'socks5')) {
    throw new EngineError(
      'invalid_request',
      'This is not the address of a proxy. Write it like http://user:password@host:port; socks5:// and https:// work too.',
    )
  }
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const pair = Buffer.from(`${username}:${password}`).toString('base64')
  return {
    kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || defaultPorts[kind],
    username,
    password,
    authorization: username || password ? `Basic ${pair}` : undefined,
  }
}

/** Connects to the proxy itself. Its address passes the guard like any other. */
export async function dialUpstream(upstream: Upstream, guard: Guard, signal: AbortSignal): Promise<net.Socket> {
  const socket = await dial(upstream, guard, signal)
  return upstream.kind === 'https' ? secure(socket, upstream.host, signal) : socket
}

/** Opens a tunnel through the proxy. The proxy resolves the name, so what it may mean here is checked before. */
export async function tunnelThrough(
  upstream: Upstream,
  destination: Destination,
  guard: Guard,
  signal: AbortSignal,
): Promise<net.Socket> {
  await refuseInternal(destination, guard, signal)
  const socket = await dialUpstream(upstream, guard, signal)
  try {
    const speak = upstream.kind === 'socks5' ? askSocks : askHttp
    await race(speak(socket, upstream, destination), signal)
    return socket
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw EngineError.is(error) ? error : proxyFailed(error)
  }
}

/** A name that is unknown here may be known to the proxy; one that is refused here is refused. */
export async function refuseInternal({ host, port }: Destination, guard: Guard, signal: AbortSignal): Promise<void> {
  try {
    await guard.resolve(host, port, signal)
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'dns_failed') throw error
  }
}

async function askHttp(socket: net.Socket, { authorization }: Upstream, { host, port }: Destination): Promise<void> {
  const authority = net.isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
  const proof = authorization ? `Proxy-Authorization: ${authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proof}\r\n`)
  const head = (await readUntil(socket, endOfHead)).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
  if (status < 200 || status > 299 || Number.isNaN(status)) throw proxyFailed(undefined, status)
}

const longestHead = 65_536

function endOfHead(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end >= 0) return end + 4
  if (bytes.length > longestHead) throw proxyFailed()
  return undefined
}

async function askSocks(socket: net.Socket, upstream: Upstream, { host, port }: Destination): Promise<void> {
  const { username, password } = upstream
  const method = username || password ? 2 : 0
  socket.write(Buffer.from([5, 1, method]))
  const [, chosen] = await readUntil(socket, (bytes) => (bytes.length >= 2 ? 2 : undefined))
  if (chosen !== method) throw proxyFailed()
  if (method === 2) {
    const [user, word] = [Buffer.from(username), Buffer.from(password)]
    socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([word.length]), word]))
    const [, state] = await readUntil(socket, (bytes) => (bytes.length >= 2 ? 2 : undefined))
    if (state !== 0) throw proxyFailed(undefined, 407)
  }
  const name = Buffer.from(host)
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]))
  const answer = await readUntil(socket, endOfSocksAnswer)
  if (answer[1] !== 0) throw proxyFailed(undefined, answer[1])
}

function endOfSocksAnswer(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const addressBytes = bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : 1 + (bytes[4] ?? 0)
  const end = 4 + addressBytes + 2
  return bytes.length >= end ? end : undefined
}

/** Takes bytes up to an end, and puts what comes after it back. */
function readUntil(socket: net.Socket, endOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const done = (settle: () => void): void => {
      socket.off('readable', read).off('error', fail).off('close', fail)
      settle()
    }
    const fail = (error?: unknown): void => done(() => reject(proxyFailed(error)))
    const read = (): void => {
      try {
        for (let chunk = socket.read(); chunk; chunk = socket.read()) {
          bytes = Buffer.concat([bytes, chunk as Buffer])
          const end = endOf(bytes)
          if (end === undefined) continue
          if (end < bytes.length) socket.unshift(bytes.subarray(end))
          done(() => resolve(bytes.subarray(0, end)))
          return
        }
      } catch (error) {
        done(() => reject(error))
      }
    }
    socket.on('readable', read).on('error', fail).on('close', fail)
    read()
  })
}

function proxyFailed(cause?: unknown, status?: number): EngineError {
  const why = status === 407 ? 'It does not accept the name and password.' : 'It may be down, or refuse this address.'
  return new EngineError('connection_failed', `The proxy did not make the connection. ${why}`, {
    cause,
    details: { proxy: true, ...(status !== undefined && { status }) },
  })
}
