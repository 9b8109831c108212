import net, { type Socket } from 'node:net'

import { EngineError } from '@harvestman/ports'
import type { ParsedProxy } from './proxy-address.ts'
import { proxyFailed } from './proxy.ts'

const maxHeadBytes = 65_536

/**
 * Opens a tunnel to a host through the proxy that the socket is connected to. Rejects with `connection_failed` if the proxy
 * refuses, and with the signal's reason if it is aborted. The socket is then destroyed.
 */
export async function openTunnel(
  socket: Socket,
  proxy: ParsedProxy,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  const stop = (): void => void socket.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await (proxy.kind === 'socks5' ? askSocks : askHttp)(socket, proxy, host, port)
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw EngineError.is(error) ? error : proxyFailed(error)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

type Ask = (socket: Socket, proxy: ParsedProxy, host: string, port: number) => Promise<void>

const askHttp: Ask = async (socket, { authorization }, host, port) => {
  const authority = net.isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
  const proof = authorization ? `Proxy-Authorization: ${authorization}\r\n` : ''
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proof}\r\n`)
  const head = await take(socket, endOfHead)
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1] ?? 0)
  if (status < 200 || status > 299) throw proxyFailed(undefined, status)
}

function endOfHead(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end >= 0) return end + 4
  if (bytes.length > maxHeadBytes) throw proxyFailed()
  return undefined
}

// RFC 1928 and 1929. The host name is sent unresolved, because the proxy may know names that are unknown here.
const askSocks: Ask = async (socket, { username, password }, host, port) => {
  const method = username || password ? 2 : 0
  socket.write(Buffer.from([5, 1, method]))
  const [version, chosen] = await take(socket, atLeast(2))
  if (version !== 5 || chosen !== method) throw proxyFailed()
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]))
    const [, refused] = await take(socket, atLeast(2))
    if (refused !== 0) throw proxyFailed(undefined, 407)
  }
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), counted(host), Buffer.from([port >> 8, port & 255])]))
  const answer = await take(socket, endOfSocksAnswer)
  if (answer[1] !== 0) throw proxyFailed(undefined, answer[1])
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw proxyFailed()
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function endOfSocksAnswer(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const addressBytes = bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : 1 + (bytes[4] ?? 0)
  const end = 4 + addressBytes + 2
  return bytes.length >= end ? end : undefined
}

function atLeast(count: number): (bytes: Buffer) => number | undefined {
  return (bytes) => (bytes.length >= count ? count : undefined)
}

/** Reads the proxy's response. Bytes after its end come from the target host and are put back into the socket. */
function take(socket: Socket, endOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const done = (settle: () => void): void => {
      socket.off('readable', read).off('error', fail).off('close', fail)
      settle()
    }
    const fail = (error?: unknown): void => done(() => reject(proxyFailed(error)))
    const read = (): void => {
      try {
        for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
          bytes = Buffer.concat([bytes, chunk])
          const end = endOf(bytes)
          if (end === undefined) continue
          const [head, rest] = [bytes.subarray(0, end), bytes.subarray(end)]
          if (rest.length > 0) socket.unshift(rest)
          return done(() => resolve(head))
        }
      } catch (error) {
        done(() => reject(error))
      }
    }
    socket.on('readable', read).on('error', fail).on('close', fail)
    read()
  })
}
