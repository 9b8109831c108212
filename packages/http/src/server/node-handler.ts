import type { IncomingMessage, ServerResponse } from 'node:http'

import { guarded } from '@harvestman/ports/adapters'

import { jsonAnswer, type Answer, type Transport } from '../answer/answer.ts'
import { refusalOf, statuses } from '../refusals/errors.ts'
import { refusalBody } from '../answer/refusal-body.ts'
import type { Watch } from '../api/sockets.ts'
import type { ReadForwarded } from '../request/forwarded.ts'
import { NoAddress } from './address-of.ts'
import { watchCallers } from './callers.ts'
import { requestOf } from './request-of.ts'
import { write } from './write.ts'
import { writeResponse } from './write-response.ts'

/** Handler to serve: `createApi` makes one, and so does a function around it. */
export interface Handler {
  (request: Request, transport?: Transport): Promise<Response>
  /** True when it answers without a key, which is also assumed when absent. */
  readonly isOpen?: boolean
  /** Opens what is told over WebSockets; without it there are none. */
  readonly watch?: Watch
  /** Reads the headers of trusted proxies. Without it, no proxy is trusted. */
  readonly forwarded?: ReadForwarded
  /** Is told of what broke over a WebSocket. */
  readonly onFault?: (fault: unknown) => void
}

/** A handler as servers and frameworks for Node take it. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export interface Listening {
  readonly closing: AbortSignal
  readonly cut?: AbortSignal
}

const never: Listening = { closing: new AbortController().signal }

/**
 * Makes a handler for `node:http`, Express, Fastify's raw requests and whatever takes the same two arguments. Under a path
 * of Express links have that path; a body that a middleware has parsed before is taken as it is.
 */
export function toNodeHandler(handle: Handler): NodeHandler {
  return nodeHandler(handle, never)
}

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

/** The path that Express and its kind have cut from the address. */
function mountOf({ baseUrl }: IncomingMessage & { readonly baseUrl?: unknown }): string | undefined {
  return typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined
}

/** Answers what did not become a request, and what a handler has thrown. */
function explained(error: unknown): Answer {
  const refusal =
    error instanceof NoAddress
      ? { ...statuses.invalid_request, error: `The request is not valid HTTP: ${error.message}.` }
      : refusalOf(error)
  return jsonAnswer(refusal.status, refusalBody(refusal), {})
}
