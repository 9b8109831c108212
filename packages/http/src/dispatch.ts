// The only importer of Hono.
import { Hono } from 'hono'

import type { Transport } from './answer.ts'
import type { Route } from './route.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export interface Found {
  readonly route: Route
  readonly ids: Readonly<Record<string, string>>
}

export interface Handlers {
  readonly found: (request: Request, found: Found, transport: Transport) => Promise<Response>
  /** No route for this method; `allowed` are the methods of the path, of which there may be none. */
  readonly missing: (request: Request, allowed: readonly string[], transport: Transport) => Response
}

const noIds = {}

/** Compiles the table once, and gives the function that finds the row of a request. */
export function makeDispatch(
  routes: readonly Route[],
  { found, missing }: Handlers,
): (request: Request, transport: Transport) => Response | Promise<Response> {
  const app = new Hono<{ Bindings: Transport }>({ strict: false })
  for (const route of routes) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const hasIds = pattern !== route.path
    app.on(route.method, pattern, (context) =>
      found(context.req.raw, { route, ids: hasIds ? context.req.param() : noIds }, context.env),
    )
  }
  app.notFound((context) => {
    const { path, raw } = context.req
    const allowed = methods.filter((method) => app.router.match(method === 'HEAD' ? 'GET' : method, path)[0].length > 0)
    return missing(raw, allowed, context.env)
  })
  return (request, transport) => app.fetch(request, transport)
}
