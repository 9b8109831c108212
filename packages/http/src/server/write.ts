import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'

import { isPieces, type Answer, type BodyStream } from '../answer/answer.ts'

const never = new AbortController().signal

/**
 * Writes a response to the socket without copying its body. A stream is read only as fast as it is sent; if it fails, the
 * connection is closed. It is not read for a HEAD request and, unless it has an end of its own (`hasEnd`), ends early when
 * `closing` is aborted. `sent` is called when the response has ended without a failure.
 */
export function write(
  { status, headers, body, hasEnd = false, sent }: Answer,
  outgoing: ServerResponse,
  closing: AbortSignal,
): void {
  if (sent) outgoing.once('finish', sent)
  const more: Record<string, string | number> = { ...headers }
  if (closing.aborted) more['connection'] = 'close'
  if (body === undefined) {
    outgoing.writeHead(status, more).end()
    return
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    more['content-length'] = Buffer.byteLength(body)
    outgoing.writeHead(status, more).end(body)
    return
  }
  if (!isPieces(body)) {
    outgoing.writeHead(status, more)
    pour(body, outgoing, hasEnd ? never : closing).catch(() => outgoing.destroy())
    return
  }
  more['content-length'] = body.reduce((sum, piece) => sum + piece.byteLength, 0)
  outgoing.writeHead(status, more)
  outgoing.cork()
  for (const run of runsOf(body)) outgoing.write(run)
  outgoing.uncork()
  outgoing.end()
}

/** Joins chunks that are adjacent in memory, because each write costs as much as sending some kilobytes. */
function* runsOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let run: Uint8Array | undefined
  for (const piece of pieces) {
    const isNext = run?.buffer === piece.buffer && run.byteOffset + run.byteLength === piece.byteOffset
    if (run && !isNext) yield run
    run = run && isNext ? new Uint8Array(run.buffer, run.byteOffset, run.byteLength + piece.byteLength) : piece
  }
  if (run) yield run
}

async function pour(stream: BodyStream, outgoing: ServerResponse, closing: AbortSignal): Promise<void> {
  const end = (): void => {
    outgoing.end()
    stream.return(undefined).catch(() => undefined)
  }
  if (closing.aborted || outgoing.req.method === 'HEAD') return end()
  setMaxListeners(0, closing)
  closing.addEventListener('abort', end, { once: true })
  try {
    outgoing.flushHeaders()
    for await (const piece of stream) {
      if (outgoing.writableEnded || outgoing.destroyed) return
      if (!outgoing.write(piece)) await goesOn(outgoing)
    }
    outgoing.end()
  } catch {
    // Destroy the socket, so that the listener does not mistake this for a complete body.
    outgoing.destroy()
  } finally {
    closing.removeEventListener('abort', end)
  }
}

const turns = ['drain', 'close', 'error'] as const

/** Resolves when more can be written, or the reader has disconnected. */
function goesOn(outgoing: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const turn of turns) outgoing.on(turn, resolve)
  // Remove the listeners each time: a long stream waits here thousands of times.
  return promise.finally(() => turns.forEach((turn) => outgoing.off(turn, resolve)))
}
