import { randomUUID } from 'node:crypto'

import { jsonAnswer, refusalBody, toResponse, type Answer, type Refusal, type Transport } from './answer.ts'
import { anybody, type Authenticate } from './auth.ts'
import { makeCarryOut, type CarryOut } from './carry-out.ts'
import { corsHeaders, preflightHeaders, type AllowedOrigins } from './cors.ts'
import { makeDispatch, type Handlers } from './dispatch.ts'
import type { ApiEngine } from './engine.ts'
import { isFault, refusalOf } from './errors.ts'
import { isForLoopback } from './hosts.ts'
import { describeApi } from './openapi.ts'
import { noRoute, notFromHere } from './refusals.ts'
import type { Route, Settings } from './route.ts'
import { routes } from './routes.ts'
import { makeWatch, type Watch } from './sockets.ts'

export interface ApiOptions {
  /** Says who asks. Without it everybody on this machine is the team "default", and nobody else gets an answer. */
  readonly authenticate?: Authenticate | undefined
  /** Whose pages may use the API from a browser; none when absent. */
  readonly cors?: AllowedOrigins | undefined
  /** The largest body that is read, in bytes. */
  readonly bodyBytes?: number | undefined
  readonly v1?: Partial<Settings> | undefined
  /** Is told of every failure whose cause the caller does not see. */
  readonly onFault?: ((fault: unknown, requestId: string) => void) | undefined
}

/** The API of an engine: mount it anywhere that takes a function from a request to a response. */
export interface Api {
  (request: Request, transport?: Transport): Promise<Response>
  /** Whether it answers without a key. */
  readonly isOpen: boolean
  /** What is told over a WebSocket, for servers that open them. */
  readonly watch: Watch
}

const defaults = { authenticate: anybody, bodyBytes: 10_000_000, onFault: () => undefined }

/** Makes the web API of an engine, both versions of it. */
export function createApi(engine: ApiEngine, options: ApiOptions = {}): Api {
  const { authenticate = defaults.authenticate, bodyBytes = defaults.bodyBytes, v1 } = options
  let description: object | undefined
  const describe = (): object => (description ??= describeApi(routes, engine.schemas))
  const settings = { changeTrackingDiff: v1?.changeTrackingDiff ?? 'text' }
  const carryOut = makeCarryOut(routes, { engine, settings, describe, authenticate, bodyBytes })
  const dispatch = makeDispatch(routes, makeHandlers(carryOut, options))
  const isOpen = authenticate === anybody
  const onFault = (fault: unknown): void => options.onFault?.(fault, randomUUID())
  const watch = makeWatch(routes, { engine, settings, describe, authenticate, isOpen, cors: options.cors, onFault })
  const api = async (request: Request, transport: Transport = {}): Promise<Response> => {
    if (!isOpen || isForLoopback(request)) return dispatch(request, transport)
    return send(refused(notFromHere, { 'x-request-id': requestIdOf(request) }), transport)
  }
  return Object.assign(api, { isOpen, watch })
}

function makeHandlers(carryOut: CarryOut, { cors, onFault = defaults.onFault }: ApiOptions): Handlers {
  return {
    found: async (request, found, transport) => {
      const id = requestIdOf(request)
      const headers = { 'x-request-id': id, ...corsHeaders(request, cors) }
      // What breaks off because whoever asked has gone is no fault.
      const tell = (error: unknown): void => {
        if (isFault(error) && !request.signal.aborted) onFault(error, id)
      }
      try {
        const outcome = await carryOut(request, found)
        const answer = 'value' in outcome ? answerOf(found.route, outcome.value, headers) : refused(outcome, headers)
        return send(telling(answer, tell), transport)
      } catch (error) {
        tell(error)
        return send(refused(refusalOf(error, found.route.words), headers), transport)
      }
    },
    missing: (request, allowed, transport) => {
      const id = { 'x-request-id': requestIdOf(request) }
      if (request.method !== 'OPTIONS' || allowed.length === 0) {
        return send(refused(noRoute(allowed), { ...id, ...corsHeaders(request, cors) }), transport)
      }
      const allow = allowed.join(', ')
      const headers = { ...id, allow, ...preflightHeaders(request, cors, allow) }
      return send({ status: 204, headers, body: undefined }, transport)
    },
  }
}

function answerOf({ answer }: Route, value: unknown, headers: Readonly<Record<string, string>>): Answer {
  return answer ? answer(value as never, headers) : jsonAnswer(200, value, headers)
}

/** A stream that breaks off has no answer left to say so in. */
function telling(answer: Answer, tell: (error: unknown) => void): Answer {
  const { body } = answer
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return answer
  const told = async function* (): AsyncGenerator<string> {
    try {
      yield* body
    } catch (error) {
      tell(error)
      throw error
    }
  }
  return { ...answer, body: told() }
}

function send(answer: Answer, transport: Transport): Response {
  return transport.send?.(answer) ?? toResponse(answer)
}

function refused(refusal: Refusal, headers: Readonly<Record<string, string>>): Answer {
  return jsonAnswer(refusal.status, refusalBody(refusal), { ...headers, ...refusal.headers })
}

const saneId = /^[\w.:-]{1,128}$/

/** The id that the caller gave the request, when it is fit for logs, or a new one. */
function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id')
  return given !== null && saneId.test(given) ? given : randomUUID()
}
