import type { IncomingMessage, ServerResponse } from 'node:http'

import { guarded } from '@harvestman/toolbox/guarded'

import { jsonAnswer, type Answer, type Transport } from '../answer/answer.ts'
import { refusalOf, statuses } from '../refusals/errors.ts'
import { refusalBody } from '../answer/refusal-body.ts'
import type { Watch } from '../api/sockets.ts'
import type { ReadForwarded } from '../request/forwarded.ts'
import { InvalidUrl } from './absolute-url.ts'
import { watchCallers } from './callers.ts'
import { requestOf } from './request-of.ts'
import { write } from './write.ts'
import { writeResponse } from './write-response.ts'

/** A handler to serve: the result of `createApi`, or a function around it. */
export interface Handler {
  (request: Request, transport?: Transport): Promise<Response>
  /** True if no key is required, which is also the default. */
  readonly isOpen?: boolean
  /** Handles WebSocket requests. Without it there are no WebSockets. */
  readonly watch?: Watch
  /** Reads the headers of trusted proxies. Without it, no proxy is trusted. */
  readonly forwarded?: ReadForwarded
  /** Called with errors of WebSocket connections. */
  readonly onFault?: (fault: unknown) => void
}

/** A request handler as Node servers and frameworks take it. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export interface Listening {
  readonly closing: AbortSignal
  readonly cut?: AbortSignal
}

const never: Listening = { closing: new AbortController().signal }

/**
 * Creates a handler for `node:http`, Express, Fastify's raw requests, and anything else with the same two arguments. Under an
 * Express mount path, links include that path. A body that a middleware has parsed is used as it is. Errors of the handler become
 * error responses; if a response has begun, the connection is closed.
 */
export function toNodeHandler(handle: Handler): NodeHandler {
  return nodeHandler(handle, never)
}

/**
 * Creates the handler of `toNodeHandler` for a server that reports when it is closing (`closing`) and when it cuts off open
 * responses (`cut`). Errors become error responses; if a response has begun, the connection is closed.
 */
export function nodeHandler(handle: Handler, { closing, cut }: Listening): NodeHandler {
  const callers = watchCallers(cut)
  let sent: Response | undefined
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    try {
      const signal = callers.signalFor(incoming, outgoing)
      const response = await handle(requestOf(incoming, signal), {
        signal,
        cut,
        base: mountOf(incoming),
        peer: incoming.socket.remoteAddress,
        send: (answer) => {
          write(answer, outgoing, closing)
          return (sent ??= new Response())
        },
      })
      if (response !== sent) await writeResponse(response, outgoing)
    } catch (error) {
      if (outgoing.headersSent) throw error
      write(explained(error), outgoing, closing)
    }
  }
  return (incoming, outgoing) => guarded(answer, () => outgoing.destroy())(incoming, outgoing)
}

/** Returns the mount path that frameworks such as Express have stripped from the URL. */
function mountOf({ baseUrl }: IncomingMessage & { readonly baseUrl?: unknown }): string | undefined {
  return typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined
}

/** Returns the response for an invalid request or an error that a handler threw. */
function explained(error: unknown): Answer {
  const refusal =
    error instanceof InvalidUrl
      ? { ...statuses.invalid_request, error: `The request is not valid HTTP: ${error.message}.` }
      : refusalOf(error)
  return jsonAnswer(refusal.status, refusalBody(refusal), {})
}
