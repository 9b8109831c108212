import { isSameHost, isSameSite, normaliseUrl } from '@harvestman/site'
import type { MapRequest } from '../schema/map.ts'

/** Gives the address as a map shows it, or nothing when it does not belong to the map. */
export type MapScope = (url: string) => string | undefined

type ScopeOptions = Pick<MapRequest, 'url' | 'includeSubdomains' | 'ignoreQueryParameters' | 'filterByPath'>

/** `landed` is where the redirects of the start ended: a site that has moved is mapped where it is now. */
export function makeMapScope(options: ScopeOptions, landed: URL): MapScope {
  const { includeSubdomains, ignoreQueryParameters, filterByPath } = options
  const isInside = includeSubdomains ? isSameSite : isSameHost
  const prefix = filterByPath ? pathPrefix(new URL(options.url), landed) : ''
  const known = new Map<string, boolean>()
  return (url) => {
    const normal = normaliseUrl(url, { ignoreQueryParameters })
    if (normal === undefined) return undefined
    const from = normal.indexOf('//') + 2
    const path = normal.indexOf('/', from)
    const host = normal.slice(from, path)
    const verdict = known.get(host) ?? isInside(host, landed.host)
    if (known.size < 10_000) known.set(host, verdict)
    if (!verdict || !(normal.startsWith(prefix, path) || isFolder(normal, path, prefix))) return undefined
    return withoutLastSlash(normal, path)
  }
}

/** Prefix of the paths of a map. A map of a whole site means all of it, wherever its first page has moved. */
function pathPrefix(asked: URL, landed: URL): string {
  return folderOf(asked.pathname) === '/' ? '' : folderOf(landed.pathname)
}

function folderOf(path: string): string {
  return path.replace(/\/index\.(?:html|php)$/, '/')
}

/** `/docs` is the page of the folder `/docs/`. */
function isFolder(url: string, path: number, prefix: string): boolean {
  return prefix.endsWith('/') && url.slice(path).split(/[?#]/, 1)[0] === prefix.slice(0, -1)
}

function withoutLastSlash(url: string, path: number): string {
  return url.endsWith('/') && url.length > path + 1 && !/[?#]/.test(url) ? url.slice(0, -1) : url
}
