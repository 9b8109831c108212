import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Running responses of a connection, each with the controller that stops its work. */
type Answering = Map<ServerResponse, AbortController>

/** Tracks the connections of a server with one listener per connection instead of several per request. */
export interface Callers {
  /** Returns the signal of a request, which is aborted when its caller disconnects before the response is complete. */
  signalFor(incoming: IncomingMessage, outgoing: ServerResponse): AbortSignal
}

/**
 * Creates the signals of requests, which abort when the caller disconnects. When `cut` is aborted, those of all incomplete
 * responses abort too.
 */
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
      // Responses are sent in the order of their requests, so all but the last few of a connection are complete.
      for (const one of answering.keys()) if (one.writableFinished) answering.delete(one)
      const controller = new AbortController()
      answering.set(outgoing, controller)
      if (cut?.aborted) controller.abort(cut.reason)
      return controller.signal
    },
  }
}

function leave(answering: Answering, reason?: unknown): void {
  for (const [outgoing, controller] of answering) if (!outgoing.writableFinished) controller.abort(reason)
}
