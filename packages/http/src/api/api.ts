import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/core'
import type { FaultPlace, Remedies } from '@harvestman/ports'

import { makeRequestUrls, type AddressOptions } from '../request/addresses.ts'
import { makeForwarded, type ReadForwarded } from '../request/forwarded.ts'
import {
  jsonAnswer,
  largeAnswer,
  toResponse,
  type Answer,
  type BodyStream,
  type Refusal,
  type Transport,
} from '../answer/answer.ts'
import { allowAnyone, type Authenticate } from '../callers/auth.ts'
import { makeCarryOut } from './carry-out.ts'
import { makeCors, type CorsOptions } from './cors.ts'
import type { ApiEngine, ServedEngine } from '../route/engine.ts'
import { isFault, refusalOf } from '../refusals/errors.ts'
import { isForLoopback } from '../callers/hosts.ts'
import { describeApi } from './openapi.ts'
import { packJson, type Packed } from '../answer/packed.ts'
import { refusalBody } from '../answer/refusal-body.ts'
import { noRoute, notFromHere } from '../refusals/refusals.ts'
import type { Route, Settings } from '../route/route.ts'
import { makeRouter } from '../route/router.ts'
import { routesOf } from './routes.ts'
import { shareSchemas } from './share-schemas.ts'
import { makeWatch, type Watch } from './sockets.ts'

/** Options of `createApi`. */
export interface ApiOptions extends AddressOptions {
  /** Identifies the caller. Without it every caller on localhost is the team "default", and other hosts are rejected. */
  readonly authenticate?: Authenticate | undefined
  /** Enables the operator endpoints for teams and keys. Without it they are rejected. */
  readonly adminKey?: string | undefined
  /**
   * Called when a response begins, with the path of its route, such as `/v2/crawl/{id}`, and the milliseconds since the
   * request.
   */
  readonly onResponse?: ((response: ApiResponse) => void) | undefined
  /** Returns the metrics of this server in Prometheus text format. */
  readonly metrics?: (() => string | Promise<string>) | undefined
  /** Origins whose pages may use the API from a browser. Default: none. */
  readonly cors?: CorsOptions | undefined
  /** Maximum body size, in bytes. */
  readonly bodyBytes?: number | undefined
  readonly v1?: Partial<Settings> | undefined
  /** Hints for the operator when a port is missing, by port name. They are appended to the error message. */
  readonly remedies?: Remedies | undefined
  /** Called with every failure whose cause the caller does not see, and with errors that ended a connection. */
  readonly onFault?: ((fault: unknown, requestId: string, where: FaultPlace) => void) | undefined
}

/** A response, for metrics. Method and route come from small fixed sets, so they are safe as labels. */
export interface ApiResponse {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}

/** The HTTP API of an engine. Mount it anywhere that takes a function from `Request` to `Response`. */
export interface Api {
  (request: Request, transport?: Transport): Promise<Response>
  /** True if no API key is required. */
  readonly isOpen: boolean
  /** Handles WebSocket requests, for servers that support them. */
  readonly watch: Watch
  /** Reads the headers of trusted proxies. */
  readonly forwarded: ReadForwarded
  readonly onFault: (fault: unknown) => void
}

const defaults = { authenticate: allowAnyone, bodyBytes: 10_000_000, onFault: () => undefined }

/**
 * Creates the HTTP API of an engine, versions 1 and 2. Errors of requests become error responses. JSON bodies have at most
 * 10,000,000 bytes by default. Endpoints for teams, activity and uploads exist only if the engine has these features. Throws
 * `invalid_request` if an option is invalid, or a feature has the path of an endpoint of the server.
 */
export function createApi(given: ApiEngine, options: ApiOptions = {}): Api {
  const { authenticate = defaults.authenticate, bodyBytes = defaults.bodyBytes, v1 } = options
  const onFault = options.onFault ?? defaults.onFault
  const routes = servedRoutes(given)
  // Cast: routes of missing features were removed.
  const engine = given as ServedEngine
  let description: Promise<Packed> | undefined
  const describe = (): Promise<Packed> => (description ??= packJson(shareSchemas(describeApi(routes, engine.schemas))))
  const settings = { changeTrackingDiff: v1?.changeTrackingDiff ?? 'text' }
  const find = makeRouter(routes)
  const forwarded = makeForwarded(options.trustProxy)
  const urls = makeRequestUrls(options, forwarded)
  const cors = makeCors(options.cors)
  const isOpen = authenticate === allowAnyone
  const { metrics } = options
  const { configured = [] } = authenticate
  const work = { engine, settings, describe, configured, metrics, authenticate, remedies: options.remedies }
  const { allows } = cors
  const carryOut = makeCarryOut({ ...work, isOpen, bodyBytes, allows, adminKey: options.adminKey })

  const findFor = (request: Request) => find(request.method, urls.pathOf(request))
  const answer = async (
    ...[request, transport, id, found]: [Request, Transport, string, ReturnType<typeof findFor>]
  ): Promise<Answer> => {
    if (isOpen && !isForLoopback(request)) return refused(notFromHere, { 'x-request-id': id })
    const headers = { 'x-request-id': id, ...cors.headers(request), ...('route' in found && found.route.headers) }
    // A response that is interrupted because the caller disconnected is not a bug.
    const tell = (error: unknown): void => {
      if (isFault(error) && !request.signal.aborted) onFault(error, id, 'request')
    }
    if ('allowed' in found) {
      const isPreflight = request.method === 'OPTIONS' && found.allowed.length > 0
      if (!isPreflight) return refused(noRoute(found.allowed), headers)
      const allow = found.allowed.join(', ')
      return { status: 204, headers: { ...headers, allow, ...cors.preflight(request, allow) }, body: undefined }
    }
    try {
      const outcome = await carryOut(request, found, urls.at(request, transport), transport)
      if ('value' in outcome) {
        return telling(await answerOf(found.route, outcome.value, { ...headers, ...outcome.headers }), tell)
      }
      return refused(outcome, headers)
    } catch (error) {
      tell(error)
      return refused(refusalOf(wasCut(error, transport) ?? error, found.route.words, options.remedies), headers)
    }
  }
  const api = async (request: Request, transport: Transport = {}): Promise<Response> => {
    const began = performance.now()
    const found = findFor(request)
    const answered = await answer(request, transport, requestIdOf(request), found)
    if (options.onResponse) {
      const known = 'allowed' in found ? { method: 'other', path: 'unknown' } : found.route
      options.onResponse({
        ...{ method: known.method, route: known.path, status: answered.status, ms: performance.now() - began },
      })
    }
    return transport.send?.(answered) ?? toResponse(answered, request.method === 'HEAD')
  }
  const tellFault = (fault: unknown): void => onFault(fault, randomUUID(), 'connection')
  const watch = makeWatch({ ...work, find, urls, isOpen, allows: cors.allows, onFault: tellFault })
  return Object.assign(api, { isOpen, watch, forwarded, onFault: tellFault })
}

/** Returns the routes of the features that the engine has. */
function servedRoutes(engine: ApiEngine): readonly Route[] {
  const features = Object.values(engine.features).map(({ definition }) => definition)
  return routesOf(engine.kinds, features).filter(
    ({ feature }) => feature === undefined || engine[feature] !== undefined,
  )
}

/** Work that the server shutdown interrupted is not logged as a client abort: its caller is still connected and may retry. */
function wasCut(error: unknown, { cut }: Transport): EngineError | undefined {
  const isCut = cut?.aborted === true && EngineError.is(error) && error.code === 'aborted'
  return isCut ? new EngineError('closed', 'The server is closing.', { cause: error }) : undefined
}

async function answerOf({ answer }: Route, value: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return answer ? answer(value, headers) : largeAnswer(200, value, headers)
}

/** Reports errors of a body stream: its headers were sent already, so the response cannot tell them. */
function telling(answer: Answer, tell: (error: unknown) => void): Answer {
  const { body } = answer
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return answer
  const reported = async function* (): BodyStream {
    try {
      yield* body
    } catch (error) {
      tell(error)
      throw error
    }
  }
  return { ...answer, body: reported() }
}

function refused(refusal: Refusal, headers: Readonly<Record<string, string>>): Answer {
  return jsonAnswer(refusal.status, refusalBody(refusal), { ...headers, ...refusal.headers })
}

const saneId = /^[\w.:-]{1,128}$/

/** Returns the caller's request id if it is safe to log, else a new one. */
function requestIdOf({ headers }: Request): string {
  const requestId = headers.get('x-request-id')
  return requestId !== null && saneId.test(requestId) ? requestId : randomUUID()
}
