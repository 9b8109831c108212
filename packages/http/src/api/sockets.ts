// The addresses that can be opened as WebSockets: who may, and what is told there.
import { EngineError } from '@harvestman/core'

import type { Addresses } from '../request/addresses.ts'
import type { Refusal, Transport } from '../answer/answer.ts'
import { admit } from './admit.ts'
import { notKnown, type Authenticate } from '../callers/auth.ts'
import { askerOf, readParams, readQuery, toCall } from '../request/call.ts'
import type { Cors } from './cors.ts'
import { isFault, refusalOf } from '../refusals/errors.ts'
import type { Talk } from '../answer/talk.ts'
import { isForLoopback } from '../callers/hosts.ts'
import { closingOf } from '../jobs/watch.ts'
import type { Watching } from '../answer/watching.ts'
import { badParams, foreignPage, noRoute, notFromHere } from '../refusals/refusals.ts'
import type { ServerParts } from '../route/route.ts'
import type { Found, Lookup } from '../route/router.ts'

/** Says what is told to the caller that opens a WebSocket or talked about with it, or why it is not opened. */
export type Watch = (request: Request, transport?: Transport) => Watching | Refusal | Promise<Talk | Refusal>

export interface WatchWork extends ServerParts {
  readonly find: Lookup
  readonly addresses: Addresses
  readonly authenticate: Authenticate
  /** True when every caller on this machine is answered, without a key. */
  readonly isOpen: boolean
  /** A browser opens a WebSocket for any page, without asking: what keeps pages from reading answers is of no use here. */
  readonly allows: Cors['allows']
  readonly onFault: (fault: unknown) => void
}

export function makeWatch({ find, addresses, isOpen, allows, ...work }: WatchWork): Watch {
  return (request, transport) => {
    if (isOpen && !isForLoopback(request)) return notFromHere
    const found = find('GET', addresses.pathOf(request))
    if ('allowed' in found) return noRoute([])
    const at = addresses.at(request, transport)
    const origin = request.headers.get('origin')
    if (found.route.talk) {
      // The page of the live view is one of our own.
      const mayTalk = allows(origin) || origin === new URL(at).origin
      return mayTalk ? talk(request, found, at, work) : foreignPage
    }
    if (!found.route.watch) return noRoute([])
    if (!allows(origin)) return foreignPage
    return tell(request, found, at, work)
  }
}

type Teller = ServerParts & Pick<WatchWork, 'authenticate' | 'onFault'>

/** Its address carries the key, so that nothing else is asked for. */
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
        asker: { team: '', scopes: undefined },
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
    const asked = withKey(request)
    const caller = await authenticate(asked)
    if (!caller) throw notKnown(asked)
    const params = readParams(given, route)
    if (!params || !route.watch) throw new EngineError('invalid_request', badParams(route).error)
    const admitted = await admit(route, caller, context.engine)
    const { team } = caller
    const asker = askerOf(caller, route, admitted)
    const nothing = { input: undefined, query: undefined }
    return yield* route.watch(toCall(request, { ...context, ...nothing, params, team, asker, at }))
  } catch (error) {
    if (isFault(error)) onFault(error)
    return closingOf(error)
  }
}

/** A browser cannot send headers with a WebSocket, so clients give their key as the name of a protocol. */
function withKey(request: Request): Request {
  const [key] = (request.headers.get('sec-websocket-protocol') ?? '').split(',')
  if (!key || request.headers.has('authorization')) return request
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${key.trim()}`)
  return new Request(request, { headers })
}
