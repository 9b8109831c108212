import { isSameHost, isSameSite, normaliseUrl } from '@harvestman/site'
import type { MapRequest } from '../schema/map.ts'
import { threatRules } from '../threats/rules.ts'

/** Returns the normalized URL for a map, or `undefined` if it is out of scope. */
export type MapScope = (url: string) => string | undefined

type ScopeOptions = Pick<
  MapRequest,
  'url' | 'includeSubdomains' | 'ignoreQueryParameters' | 'filterByPath' | 'threatProtection'
>

/**
 * Creates the scope of a map: a function that returns a URL as it is listed, or `undefined` if the URL is invalid, blocked or
 * not part of the site. `landed` is the URL after redirects of the start: a site that has moved is mapped at its new location.
 */
export function makeMapScope(options: ScopeOptions, landed: URL): MapScope {
  const { includeSubdomains, ignoreQueryParameters, filterByPath, threatProtection } = options
  const threats = threatRules(threatProtection)
  const isInside = includeSubdomains ? isSameSite : isSameHost
  const prefix = filterByPath ? pathPrefix(new URL(options.url), landed) : ''
  const known = new Map<string, boolean>()
  return (url) => {
    const normal = normaliseUrl(url, { ignoreQueryParameters })
    if (normal === undefined) return undefined
    const from = normal.indexOf('//') + 2
    const path = normal.indexOf('/', from)
    const host = normal.slice(from, path)
    const verdict = known.get(host) ?? (isInside(host, landed.host) && !threats?.find(new URL(normal)))
    if (known.size < 10_000) known.set(host, verdict)
    if (!verdict || !(normal.startsWith(prefix, path) || isFolder(normal, path, prefix))) return undefined
    return withoutLastSlash(normal, path)
  }
}

/** Path prefix of a map. A map that starts at the root of a site covers the whole site, wherever its first page redirects. */
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
