// The only module that imports Hono, for its router. HTTP requests and WebSockets share one route table.
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'

import type { Route } from './route.ts'

export interface Found {
  readonly route: Route
  /** Values of the path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a request. Without one, returns the methods that the path supports, which may be none. */
export type Lookup = (method: string, path: string) => Found | { readonly allowed: readonly string[] }

const noParams = {}

/**
 * Compiles the route table and returns its lookup function. If no route matches, that returns the methods that the
 * path does support (`allowed`), which is empty for an unknown path. A trailing slash is ignored, and HEAD finds the
 * GET route.
 */
export function makeRouter(routes: readonly Route[]): Lookup {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] })
  for (const route of routes) router.add(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), route)
  const methods = [...new Set<string>(routes.map(({ method }) => method))]
  // Most paths have no parameters and are found in a map.
  const plain = new Map<string, Found>()
  for (const route of routes.toReversed()) {
    if (!route.path.includes('{')) plain.set(`${route.method} ${route.path}`, { route, params: noParams })
  }
  const plainPaths = new Set<string>(routes.flatMap(({ path }) => (path.includes('{') ? [] : [path])))
  const find = (method: string, path: string): Found | undefined => {
    const known = plain.get(`${method} ${path}`)
    if (known) return known
    const [[first], stash] = router.match(method, path)
    if (!first) return undefined
    const [route, places] = first
    // Fixed path segments are never ids, because ids are UUIDs. Only parameters with their own schema may have such a value.
    if (route.params === undefined && plainPaths.has(path)) return undefined
    return { route, params: paramsOf(places, stash) }
  }
  return (asked, given) => {
    const path = given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given
    const method = asked === 'HEAD' ? 'GET' : asked
    const found = find(method, path)
    if (found) return found
    return {
      allowed: methods
        .filter((other) => find(other, path))
        .flatMap((other) => (other === 'GET' ? ['GET', 'HEAD'] : [other])),
    }
  }
}

type Places = Readonly<Record<string, number | string>>

/** The router returns the values themselves, or their indexes in `stash`. */
function paramsOf(places: Places, stash: readonly string[] | undefined): Found['params'] {
  let params: Record<string, string> | undefined
  for (const name in places) {
    const place = places[name]
    const part = typeof place === 'number' ? stash?.[place] : place
    if (part !== undefined) (params ??= {})[name] = decoded(part)
  }
  return params ?? noParams
}

function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
