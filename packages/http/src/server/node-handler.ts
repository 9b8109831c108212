// The only importer of Hono's server for Node.
import type { IncomingMessage, ServerResponse } from 'node:http'

import { getRequestListener, RequestError } from '@hono/node-server'
import { guarded } from '@harvestman/ports/adapters'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { jsonAnswer, toResponse, type Transport } from '../answer/answer.ts'
import { refusalOf, statuses } from '../refusals/errors.ts'
import { refusalBody } from '../answer/refusal-body.ts'
import type { Watch } from '../api/sockets.ts'
import { write } from './write.ts'

/** What is served: `createApi` makes one, and so does a function around it. */
export interface Handler {
  (request: Request, transport?: Transport): Promise<Response>
  /** Whether it answers without a key; so it is taken when it does not say. */
  readonly isOpen?: boolean
  /** What is told over WebSockets; without it there are none. */
  readonly watch?: Watch
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
  // One listener for all requests, and not a signal of both for each.
  const running = new Set<AbortController>()
  const end = (): void => running.forEach((one) => one.abort(cut?.reason))
  cut?.addEventListener('abort', end, { once: true })
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = outgoing as ServerResponse
      const gone = new AbortController()
      running.add(gone)
      if (cut?.aborted) end()
      response.once('close', () => {
        running.delete(gone)
        if (!response.writableFinished) gone.abort()
      })
      const answer = await handle(request, {
        signal: gone.signal,
        base: mountOf(incoming as Mounted),
        peer: (incoming as IncomingMessage).socket.remoteAddress,
        cut,
        send: (answer) => {
          write(answer, response, closing)
          return RESPONSE_ALREADY_SENT
        },
      })
      if (answer !== RESPONSE_ALREADY_SENT) return answer
      throw sent
    },
    // The classes that would replace the global ones are for speed, which writing answers by hand brings as well.
    { overrideGlobalObjects: false, errorHandler: explain },
  )
  return (incoming, outgoing) => {
    const take = guarded(
      () => {
        restoreBody(incoming)
        return listener(incoming, outgoing)
      },
      () => outgoing.destroy(),
    )
    take()
  }
}

/** What Express and its kind add to a request. */
interface Mounted extends IncomingMessage {
  readonly baseUrl?: unknown
  readonly body?: unknown
  rawBody?: unknown
}

function mountOf({ baseUrl }: Mounted): string | undefined {
  return typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : undefined
}

/** A middleware that has read the body leaves nothing to read, so what it made of it is printed again. */
function restoreBody(incoming: Mounted): void {
  if (!incoming.readableEnded || incoming.body === undefined || incoming.rawBody instanceof Buffer) return
  const { body } = incoming
  incoming.rawBody = body instanceof Buffer ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** What Hono's server takes for an answer that was sent, it takes apart each time. An error that has no answer ends it at once. */
const sent = Symbol('sent')

/** Answers what did not become a request. */
function explain(error: unknown): Response | undefined {
  if (error === sent) return undefined
  const refusal =
    error instanceof RequestError
      ? { ...statuses.invalid_request, error: `The request is not valid HTTP: ${error.message}.` }
      : refusalOf(error)
  return toResponse(jsonAnswer(refusal.status, refusalBody(refusal), {}))
}
