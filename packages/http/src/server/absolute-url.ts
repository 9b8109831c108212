import type { IncomingMessage } from 'node:http'

/** Error of a request without a valid URL. */
export class InvalidUrl extends Error {}

// Hosts and targets that a URL parser would leave unchanged. Everything else is parsed and normalized.
const plainHost = /^[\da-z][\da-z._-]*(?::(?:[1-9]\d{3}|[1-5]\d{4}))?$/
const plainTarget = /^\/(?!\.)(?:[\w!$&()*+,;=:@~?-]|\/(?!\.)|(?<=[\w-])\.)*$/

/** Returns the absolute URL of a request. Throws `InvalidUrl` if the host header or the target is invalid. */
export function absoluteUrlOf({ url: target = '/', headers, socket }: IncomingMessage): string {
  if (/^https?:\/\//i.test(target)) return parsed(target).href
  const { host = '' } = headers
  if (host === '') throw new InvalidUrl('Missing host header')
  if (!target.startsWith('/')) throw new InvalidUrl('Invalid URL')
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  const text = `${scheme}://${host}${target}`
  if (plainHost.test(host) && plainTarget.test(target)) return text
  if (/[\s/?#@\\]/.test(host)) throw new InvalidUrl('Invalid host header')
  return parsed(text).href
}

function parsed(text: string): URL {
  const [path = ''] = text.split('?', 1)
  if (path.includes('\\')) throw new InvalidUrl('Backslash in request path')
  if (!URL.canParse(text)) throw new InvalidUrl('Invalid URL')
  return new URL(text)
}
