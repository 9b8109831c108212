// Path of the table that a request is for, and the address under which the caller reaches this server.
import { EngineError } from '@harvestman/core'

import type { Transport } from '../answer/answer.ts'
import { makeForwarded, type Forwarded, type TrustedProxies } from './forwarded.ts'

/** Address of the API as seen from outside. */
export interface AddressOptions {
  /** The path under which the API is mounted, such as `/web`: it is cut from requests, and stands in every link. */
  readonly basePath?: string | undefined
  /** The address under which callers reach the API, with the path before `/v2`, when requests do not show it. */
  readonly publicUrl?: string | undefined
  /**
   * Peers whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are read: IP addresses and CIDR blocks; true for all, when
   * every request comes through a proxy that sets them. When absent, the loopback may set the first two.
   */
  readonly trustProxy?: TrustedProxies | undefined
}

export interface Addresses {
  /** The path of a request as the table has it. */
  pathOf(request: Request): string
  /** Returns the address before the paths of the table, as the caller sees it. */
  at(request: Request, transport?: Transport): string
}

export function makeAddresses(
  { basePath, publicUrl, trustProxy }: AddressOptions,
  forwarded = makeForwarded(trustProxy),
): Addresses {
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
      const told = forwarded(request, peer)
      return originOf(request, told) + prefixOf(told) + (base === '' ? mounted : base)
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

/** The origin of the request, as the proxy in front of this server was asked for it. */
function originOf({ url }: Request, told: Forwarded): string {
  const [, scheme = 'http', asked = ''] = origin.exec(url) ?? []
  const named = told.host !== undefined && host.test(told.host) ? told.host : asked
  return `${told.scheme ?? scheme}://${named}`
}

function prefixOf({ prefix = '' }: Forwarded): string {
  const own = prefix.replace(/\/+$/, '')
  return path.test(own) ? own : ''
}
