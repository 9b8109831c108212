import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'

import { isPieces, type Answer, type BodyStream } from '../answer/answer.ts'

const never = new AbortController().signal

/** Writes an answer to the socket as it stands: nothing is copied, and a stream is read no faster than it is sent. */
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

/** Each write costs as much as sending some kilobytes, so what stands together in memory is one. */
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
    // The listener must see that this is not the end.
    outgoing.destroy()
  } finally {
    closing.removeEventListener('abort', end)
  }
}

const turns = ['drain', 'close', 'error'] as const

/** Resolves when more may be written, or the reader has gone. */
function goesOn(outgoing: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const turn of turns) outgoing.on(turn, resolve)
  // A long stream waits a thousand times, and each time must leave nothing behind.
  return promise.finally(() => turns.forEach((turn) => outgoing.off(turn, resolve)))
}
