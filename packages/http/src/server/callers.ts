import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers under way on a connection, each with the controller that stops the work for it. */
type Answering = Map<ServerResponse, AbortController>

/** The callers of a server: one listener for each connection, and not several for each request. */
export interface Callers {
  /** The signal of a request: aborted when its caller hangs up on the answer. */
  signalFor(incoming: IncomingMessage, outgoing: ServerResponse): AbortSignal
}

/** Watches for callers that leave. When `cut` is aborted, so is the work for all answers that are not whole. */
export function watchCallers(cut: AbortSignal | undefined): Callers {
  const callers = new Map<Socket, Answering>()
  cut?.addEventListener('abort', () => callers.forEach((answering) => leave(answering, cut.reason)), { once: true })
  const meet = (socket: Socket): Answering => {
    const answering: Answering = new Map()
    callers.set(socket, answering)
    socket.once('close', () => {
      callers.delete(socket)
      leave(answering)
    })
    return answering
  }
  return {
    signalFor: ({ socket }, outgoing) => {
      const answering = callers.get(socket) ?? meet(socket)
      // Answers are sent in the order of their requests, so all but the last few of a connection are whole.
      for (const one of answering.keys()) if (one.writableFinished) answering.delete(one)
      const gone = new AbortController()
      answering.set(outgoing, gone)
      if (cut?.aborted) gone.abort(cut.reason)
      return gone.signal
    },
  }
}

function leave(answering: Answering, reason?: unknown): void {
  for (const [outgoing, gone] of answering) if (!outgoing.writableFinished) gone.abort(reason)
}
