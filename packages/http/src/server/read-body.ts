import type { IncomingMessage } from 'node:http'

import { joinInTurns } from '@harvestman/toolbox/join-in-turns'

/**
 * Reads a body of at most `most` bytes, without copying if it arrives in one chunk. Returns `undefined` if it is
 * larger, and discards the rest. Rejects if the connection closes early.
 */
export function readAtMost(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) {
    drain(incoming)
    return Promise.resolve(undefined)
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = (): void => {
      incoming.off('data', take).off('end', end).off('close', broken).off('error', broken)
    }
    const take = (chunk: Uint8Array): void => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= most) return
      stop()
      drain(incoming)
      resolve(undefined)
    }
    const end = (): void => {
      stop()
      if (chunks.length < 2) resolve(chunks[0] ?? new Uint8Array())
      else joinInTurns(chunks).then(resolve, reject)
    }
    const broken = (): void => {
      stop()
      reject(incoming.errored ?? new Error('The connection was closed.'))
    }
    incoming.on('data', take).on('end', end).on('close', broken).on('error', broken)
    if (incoming.readableEnded || incoming.destroyed) broken()
  })
}

const maxDrained = 64 * 1_048_576
const drainedWithin = 500

/** Discards the rest of a body, so that its sender reads the response. Disconnects the sender after 64 MiB or 500 ms. */
export function drain(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return
  let bytes = 0
  const hangUp = (): void => {
    stop()
    incoming.socket.destroySoon()
  }
  const timer = setTimeout(hangUp, drainedWithin).unref()
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength
    if (bytes > maxDrained) hangUp()
  }
  const stop = (): void => {
    clearTimeout(timer)
    incoming.off('data', count).off('end', stop).off('close', stop)
  }
  incoming.on('error', () => undefined)
  incoming.on('data', count).on('end', stop).on('close', stop).resume()
}
