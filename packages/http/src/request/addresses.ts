// Path of the table that a request is for, and the address under which the caller reaches this server.
import { EngineError } from '@harvestman/core'

import type { Transport } from '../answer/answer.ts'

/** Address of the API as seen from outside. */
export interface AddressOptions {
  /** The path under which the API is mounted, such as `/web`: it is cut from requests, and stands in every link. */
  readonly basePath?: string | undefined
  /** The address under which callers reach the API, with the path before `/v2`, when requests do not show it. */
  readonly publicUrl?: string | undefined
  /** Believes `X-Forwarded-Host` and `X-Forwarded-Prefix`. Set it when every request comes through a proxy that writes them. */
  readonly trustProxy?: boolean | undefined
}

export interface Addresses {
  /** The path of a request as the table has it. */
  pathOf(request: Request): string
  /** Returns the address before the paths of the table, as the caller sees it. */
  at(request: Request, transport?: Transport): string
}

export function makeAddresses({ basePath, publicUrl, trustProxy = false }: AddressOptions): Addresses {
  const base = checkedBase(basePath)
  const fixed = checkedUrl(publicUrl)
  return {
    pathOf: ({ url }) => {
      const path = pathIn(url)
      if (base === '' || !path.startsWith(base)) return path
      if (path.length === base.length) return '/'
      return path[base.length] === '/' ? path.slice(base.length) : path
    },
    at: (request, { base: mounted = '' } = {}) => {
      if (fixed !== undefined) return fixed
      const forwarded = trustProxy ? prefixOf(request.headers) : ''
      return originOf(request, trustProxy) + forwarded + (base === '' ? mounted : base)
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
const schemes: ReadonlySet<string> = new Set(['http', 'https'])
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * The host of the request, with the scheme that a proxy in front says it was asked with. The scheme is believed without
 * being told to, because it changes nothing but what its own sender is told.
 */
function originOf({ url, headers }: Request, trustProxy: boolean): string {
  const [, scheme = 'http', asked = ''] = origin.exec(url) ?? []
  const proto = first(headers, 'x-forwarded-proto')?.toLowerCase()
  const named = trustProxy ? first(headers, 'x-forwarded-host') : undefined
  return `${proto !== undefined && schemes.has(proto) ? proto : scheme}://${named !== undefined && host.test(named) ? named : asked}`
}

function prefixOf(headers: Headers): string {
  const prefix = first(headers, 'x-forwarded-prefix')?.replace(/\/+$/, '') ?? ''
  return path.test(prefix) ? prefix : ''
}

/** Each proxy adds its own value behind those of the proxies before it. */
function first(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.split(',', 1)[0]?.trim()
}
