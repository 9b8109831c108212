import { randomUUID } from 'node:crypto'

import { EngineError } from '@harvestman/core'
import type { FaultPlace } from '@harvestman/ports'

import { makeAddresses, type AddressOptions } from '../request/addresses.ts'
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
import { anybody, type Authenticate } from '../callers/auth.ts'
import { makeCarryOut } from './carry-out.ts'
import { makeCors, type CorsOptions } from './cors.ts'
import type { ApiEngine, ServedEngine } from '../route/engine.ts'
import { isFault, refusalOf, type Remedies } from '../refusals/errors.ts'
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
  /** Says who asks. Without it everybody on this machine is the team "default", and other machines get no answer. */
  readonly authenticate?: Authenticate | undefined
  /** Opens the endpoints for operators: teams and their keys. Without it they are not answered. */
  readonly adminKey?: string | undefined
  /** Is told of each response when it begins: the path of its route, as `/v2/crawl/{id}`, and the milliseconds since the request. */
  readonly onResponse?: ((response: ApiResponse) => void) | undefined
  /** Gives the metrics of this server, in the text format of Prometheus. */
  readonly metrics?: (() => string | Promise<string>) | undefined
  /** Origins whose pages may use the API from a browser; none when absent. */
  readonly cors?: CorsOptions | undefined
  /** The largest body that is read, in bytes. */
  readonly bodyBytes?: number | undefined
  readonly v1?: Partial<Settings> | undefined
  /** Remedies for the operator when a port is missing: sentences by its name, said after what a request needs. */
  readonly remedies?: Remedies | undefined
  /** Is told of every failure whose cause the caller does not see; also of what broke on a connection, which it ended. */
  readonly onFault?: ((fault: unknown, requestId: string, where: FaultPlace) => void) | undefined
}

/** A response, for metrics: each of its texts is one of few. */
export interface ApiResponse {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
}

/** The API of an engine: mount it anywhere that takes a function from a request to a response. */
export interface Api {
  (request: Request, transport?: Transport): Promise<Response>
  /** True when it answers without a key. */
  readonly isOpen: boolean
  /** Opens what is told over a WebSocket, for servers that open them. */
  readonly watch: Watch
  /** Reads the headers of trusted proxies. */
  readonly forwarded: ReadForwarded
  readonly onFault: (fault: unknown) => void
}

const defaults = { authenticate: anybody, bodyBytes: 10_000_000, onFault: () => undefined }

/** Makes the web API of an engine, both versions of it. What is about teams, activity and uploads is there where the engine has them. */
export function createApi(given: ApiEngine, options: ApiOptions = {}): Api {
  const { authenticate = defaults.authenticate, bodyBytes = defaults.bodyBytes, v1 } = options
  const onFault = options.onFault ?? defaults.onFault
  const routes = servedRoutes(given)
  // Cast: the rows about what it lacks were left out.
  const engine = given as ServedEngine
  let description: Promise<Packed> | undefined
  const describe = (): Promise<Packed> => (description ??= packJson(shareSchemas(describeApi(routes, engine.schemas))))
  const settings = { changeTrackingDiff: v1?.changeTrackingDiff ?? 'text' }
  const find = makeRouter(routes)
  const forwarded = makeForwarded(options.trustProxy)
  const addresses = makeAddresses(options, forwarded)
  const cors = makeCors(options.cors)
  const isOpen = authenticate === anybody
  const { metrics } = options
  const { configured = [] } = authenticate
  const work = { engine, settings, describe, configured, metrics, authenticate }
  const { allows } = cors
  const carryOut = makeCarryOut({ ...work, isOpen, bodyBytes, allows, adminKey: options.adminKey })

  const findFor = (request: Request) => find(request.method, addresses.pathOf(request))
  const answer = async (
    ...[request, transport, id, found]: [Request, Transport, string, ReturnType<typeof findFor>]
  ): Promise<Answer> => {
    if (isOpen && !isForLoopback(request)) return refused(notFromHere, { 'x-request-id': id })
    const headers = { 'x-request-id': id, ...cors.headers(request), ...('route' in found && found.route.headers) }
    // An answer that breaks off because the caller has gone is no fault.
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
      const outcome = await carryOut(request, found, addresses.at(request, transport), transport)
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
  const watch = makeWatch({ ...work, find, addresses, isOpen, allows: cors.allows, onFault: tellFault })
  return Object.assign(api, { isOpen, watch, forwarded, onFault: tellFault })
}

/** The routes of what an engine has. */
function servedRoutes(engine: ApiEngine): readonly Route[] {
  const features = Object.values(engine.features).map(({ definition }) => definition)
  return routesOf(engine.kinds, features).filter(
    ({ feature }) => feature === undefined || engine[feature] !== undefined,
  )
}

/** Work that the end of the server has cut short is not for the log of who hung up: its caller is there, and may try again. */
function wasCut(error: unknown, { cut }: Transport): EngineError | undefined {
  const isCut = cut?.aborted === true && EngineError.is(error) && error.code === 'aborted'
  return isCut ? new EngineError('closed', 'The server is closing.', { cause: error }) : undefined
}

async function answerOf({ answer }: Route, value: unknown, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return answer ? answer(value, headers) : largeAnswer(200, value, headers)
}

/** A stream that breaks off has no answer left to say so in. */
function telling(answer: Answer, tell: (error: unknown) => void): Answer {
  const { body } = answer
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return answer
  const told = async function* (): BodyStream {
    try {
      yield* body
    } catch (error) {
      tell(error)
      throw error
    }
  }
  return { ...answer, body: told() }
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
