// The addresses that can be opened as WebSockets: who may, and what is told there.
import { EngineError } from '@harvestman/core'

import type { Refusal } from './answer.ts'
import { notKnown, type Authenticate } from './auth.ts'
import { readIds, toCall } from './call.ts'
import type { AllowedOrigins } from './cors.ts'
import { isFault } from './errors.ts'
import { isForLoopback } from './hosts.ts'
import { closingOf, type Watching } from './jobs/watch.ts'
import { badId, foreignPage, noRoute, notFromHere } from './refusals.ts'
import type { Route, RouteCall } from './route.ts'

/** Says what is told to whoever opens a WebSocket, or why it is not opened. */
export type Watch = (request: Request) => Watching | Refusal

export interface WatchWork extends Pick<RouteCall, 'engine' | 'settings' | 'describe'> {
  readonly authenticate: Authenticate
  /** Whether everybody on this machine is answered, without a key. */
  readonly isOpen: boolean
  readonly cors: AllowedOrigins | undefined
  readonly onFault: (fault: unknown) => void
}

export function makeWatch(routes: readonly Route[], work: WatchWork): Watch {
  const rows = routes.flatMap((route) => (route.watch ? [{ route, pattern: patternOf(route.path) }] : []))
  return (request) => {
    if (work.isOpen && !isForLoopback(request)) return notFromHere
    if (!mayComeFrom(request.headers.get('origin'), work.cors)) return foreignPage
    const { pathname } = new URL(request.url)
    for (const { route, pattern } of rows) {
      const ids = pattern.exec(pathname)?.groups
      if (ids) return tell(request, route, ids, work)
    }
    return noRoute([])
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
}

// A browser opens a WebSocket for any page, and asks nobody: what keeps pages from reading answers is of no use here.
function mayComeFrom(origin: string | null, allowed: AllowedOrigins | undefined): boolean {
  return origin === null || allowed === '*' || (allowed?.includes(origin) ?? false)
}

async function* tell(request: Request, route: Route, given: RouteCall['ids'], work: WatchWork): Watching {
  const { authenticate, onFault, engine, settings, describe } = work
  try {
    const asked = withKey(request)
    const caller = await authenticate(asked)
    if (!caller) throw notKnown(asked)
    const ids = readIds(given)
    if (!ids || !route.watch) throw new EngineError('invalid_request', badId(route).error)
    const { team } = caller
    return yield* route.watch(
      toCall(request, { engine, settings, describe, ids, team, input: undefined, query: undefined }),
    )
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
