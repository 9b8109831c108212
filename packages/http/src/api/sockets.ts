// WebSocket endpoints: authenticates the caller and selects the route.
import { EngineError } from '@harvestman/core'

import type { RequestUrls } from '../request/addresses.ts'
import type { Refusal, Transport } from '../answer/answer.ts'
import { admit } from './admit.ts'
import { unknownCaller, type Authenticate } from '../callers/auth.ts'
import { toEngineCaller, readParams, readQuery, toCall } from '../request/call.ts'
import type { Cors } from './cors.ts'
import { isFault, refusalOf } from '../refusals/errors.ts'
import type { Talk } from '../answer/talk.ts'
import { isForLoopback } from '../callers/hosts.ts'
import { closingOf } from '../jobs/watch.ts'
import type { Watching } from '../answer/watching.ts'
import { badParams, foreignPage, noRoute, notFromHere } from '../refusals/refusals.ts'
import type { ServerParts } from '../route/route.ts'
import type { Found, Lookup } from '../route/router.ts'

/** Opens the stream or conversation of a WebSocket request, or returns the error response. */
export type Watch = (request: Request, transport?: Transport) => Watching | Refusal | Promise<Talk | Refusal>

export interface WatchWork extends ServerParts {
  readonly find: Lookup
  readonly urls: RequestUrls
  readonly authenticate: Authenticate
  /** True if every caller on localhost is served without a key. */
  readonly isOpen: boolean
  /** Checks the origin. CORS does not protect WebSockets: browsers open them for any page without a preflight request. */
  readonly allows: Cors['allows']
  readonly onFault: (fault: unknown) => void
}

/**
 * Returns the function that handles requests that open a WebSocket. It returns an error response if the path has no WebSocket,
 * the origin is not allowed, or a server without keys is called by another host name than the loopback. Later errors of a
 * stream, such as an unknown key, become its close frame; those of a conversation are returned as an error response.
 */
export function makeWatch({ find, urls, isOpen, allows, ...work }: WatchWork): Watch {
  return (request, transport) => {
    if (isOpen && !isForLoopback(request)) return notFromHere
    const found = find('GET', urls.pathOf(request))
    if ('allowed' in found) return noRoute([])
    const at = urls.at(request, transport)
    const origin = request.headers.get('origin')
    if (found.route.talk) {
      // The page of the live view has the server's own origin.
      const mayTalk = allows(origin) || origin === new URL(at).origin
      return mayTalk ? talk(request, found, at, work) : foreignPage
    }
    if (!found.route.watch) return noRoute([])
    if (!allows(origin)) return foreignPage
    return tell(request, found, at, work)
  }
}

type Teller = ServerParts & Pick<WatchWork, 'authenticate' | 'onFault'>

/** Opens a two-way WebSocket. The token in its URL is the only credential. */
async function talk(
  request: Request,
  { route, params: given }: Found,
  at: string,
  work: Teller,
): Promise<Talk | Refusal> {
  const { authenticate: _, onFault, ...context } = work
  try {
    const params = readParams(given, route)
    if (!params || !route.talk) return badParams(route)
    const query = readQuery(request, route)
    return await route.talk(
      toCall(request, {
        ...context,
        params,
        team: '',
        caller: { team: '', scopes: undefined },
        at,
        input: undefined,
        query,
      }),
    )
  } catch (error) {
    if (isFault(error)) onFault(error)
    return refusalOf(error, route.words)
  }
}

async function* tell(request: Request, { route, params: given }: Found, at: string, work: Teller): Watching {
  const { authenticate, onFault, ...context } = work
  try {
    const keyed = withKey(request)
    const caller = await authenticate(keyed)
    if (!caller) throw unknownCaller(keyed)
    const params = readParams(given, route)
    if (!params || !route.watch) throw new EngineError('invalid_request', badParams(route).error)
    const admitted = await admit(route, caller, context.engine)
    const { team } = caller
    const engineCaller = toEngineCaller(caller, route, admitted)
    const nothing = { input: undefined, query: undefined }
    return yield* route.watch(toCall(request, { ...context, ...nothing, params, team, caller: engineCaller, at }))
  } catch (error) {
    if (isFault(error)) onFault(error)
    return closingOf(error)
  }
}

/** Browsers cannot set headers on a WebSocket, so clients send their key as the first subprotocol name. */
function withKey(request: Request): Request {
  const [key] = (request.headers.get('sec-websocket-protocol') ?? '').split(',')
  if (!key || request.headers.has('authorization')) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${key.trim()}`)
  return new Request(request, { headers })
}
