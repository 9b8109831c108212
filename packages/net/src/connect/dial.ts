import net, { type Socket } from 'node:net'

import type { Address } from '@harvestman/ports'

// Delay in milliseconds before the next IP is tried in parallel (RFC 8305, "Happy Eyeballs").
const headStart = 250

/**
 * Connects to the first IP that responds; the next one is tried after 250 ms. Rejects with the error of the first failed
 * attempt if none does, or with the reason of the signal. Does no DNS lookup, so it cannot reach any other host.
 */
export function dial(address: Address, port: number, signal: AbortSignal): Promise<Socket> {
  const remaining = [address, ...(address.others ?? [])]
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const open = new Set<Socket>()
  let failure: Error | undefined
  let timer: NodeJS.Timeout | undefined

  const finish = (winner?: Socket): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    for (const socket of open) if (socket !== winner) socket.destroy()
    open.clear()
  }
  const stop = (): void => {
    finish()
    reject(signal.reason)
  }
  const tryNext = (): void => {
    clearTimeout(timer)
    const next = remaining.shift()
    if (!next) {
      if (open.size > 0) return
      finish()
      return reject(failure)
    }
    const socket = net.connect({ host: next.address, port, family: next.family, noDelay: true, keepAlive: true })
    open.add(socket)
    // The listener stays: an unhandled error of a socket that lost the race or was closed would end the process.
    socket.on('error', (error) => {
      if (!open.delete(socket)) return
      failure ??= error
      tryNext()
    })
    socket.once('connect', () => {
      if (!open.has(socket)) return
      finish(socket)
      resolve(socket)
    })
    if (remaining.length > 0) timer = setTimeout(tryNext, headStart)
  }

  if (signal.aborted) return Promise.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  tryNext()
  return promise
}
