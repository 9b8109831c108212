// Finds the route path of a request and the base URL of this server as the caller sees it.
import { EngineError } from '@harvestman/core'

import type { Transport } from '../answer/answer.ts'
import { makeForwarded, type Forwarded, type TrustedProxies } from './forwarded.ts'

/** URL options of the API, as seen from outside. */
export interface AddressOptions {
  /** The mount path of the API, such as `/web`. It is stripped from requests and added to every link. */
  readonly basePath?: string | undefined
  /** The base URL that callers use, including the path before `/v2`. Set it if requests do not show it. */
  readonly publicUrl?: string | undefined
  /**
   * Peers whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are trusted: IPs and CIDR blocks, or `true` if every
   * request comes through a proxy that sets them. By default, loopback peers may set the first two.
   */
  readonly trustProxy?: TrustedProxies | undefined
}

export interface RequestUrls {
  /** Returns the path of a request without the mount path. */
  pathOf(request: Request): string
  /** Returns the base URL before the route paths, as the caller sees it. */
  at(request: Request, transport?: Transport): string
}

/**
 * Creates the reader of request URLs: `pathOf` returns the path without the base path (unchanged outside of it), `at` the
 * public URL of the API without the trailing slash. Throws `invalid_request` if `basePath`, `publicUrl` or `trustProxy` is
 * invalid.
 */
export function makeRequestUrls(
  { basePath, publicUrl, trustProxy }: AddressOptions,
  forwarded = makeForwarded(trustProxy),
): RequestUrls {
  const base = checkedBase(basePath)
  const fixed = checkedUrl(publicUrl)
  return {
    pathOf: ({ url }) => {
      const path = pathIn(url)
      if (base === '' || !path.startsWith(base)) return path
      if (path.length === base.length) return '/'
      return path[base.length] === '/' ? path.slice(base.length) : path
    },
    at: (request, { base: mounted = '', peer } = {}) => {
      if (fixed !== undefined) return fixed
      const proxied = forwarded(request, peer)
      return originOf(request, proxied) + prefixOf(proxied) + (base === '' ? mounted : base)
    },
  }
}

function pathIn(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

const path = /^(?:\/[\w.~-]+)*$/

function checkedBase(basePath = ''): string {
  const base = basePath.replace(/\/+$/, '')
  if (path.test(base)) return base
  throw new EngineError('invalid_request', `basePath is ${JSON.stringify(basePath)}; write it like "/web".`)
}

function checkedUrl(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined
  const { protocol, pathname, search, hash, username, origin } = parsed(publicUrl)
  const isPlain = /^https?:$/.test(protocol) && search + hash + username === ''
  if (isPlain) return origin + pathname.replace(/\/+$/, '')
  throw new EngineError(
    'invalid_request',
    `publicUrl is ${JSON.stringify(publicUrl)}; write it like "https://example.com/web".`,
  )
}

function parsed(url: string): URL {
  return URL.canParse(url) ? new URL(url) : new URL('about:blank')
}

const origin = /^(https?):\/\/([^/?#]+)/i
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Returns the origin that the caller used, as reported by a trusted proxy. */
function originOf({ url }: Request, proxied: Forwarded): string {
  const [, scheme = 'http', asked = ''] = origin.exec(url) ?? []
  const named = proxied.host !== undefined && host.test(proxied.host) ? proxied.host : asked
  return `${proxied.scheme ?? scheme}://${named}`
}

function prefixOf({ prefix = '' }: Forwarded): string {
  const own = prefix.replace(/\/+$/, '')
  return path.test(own) ? own : ''
}
