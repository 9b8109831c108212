import { EngineError } from '@harvestman/ports'

/** A parsed proxy URL. */
export interface ParsedProxy {
  readonly kind: 'http' | 'https' | 'socks5'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  /** Value of `Proxy-Authorization`, sent to an HTTP proxy with every request. */
  readonly authorization: string | undefined
}

const kinds: Readonly<Record<string, ParsedProxy['kind']>> = {
  'http:': 'http',
  'https:': 'https',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
}
const defaultPorts: Readonly<Record<ParsedProxy['kind'], number>> = { http: 80, https: 443, socks5: 1080 }

/**
 * Parses `http://user:password@host:port`, `https://…`, `socks5://…` or `socks5h://…`. Default ports: 80, 443 and 1080. Throws
 * `invalid_request` if the URL is invalid.
 */
export function parseProxy(text: string): ParsedProxy {
  const url = URL.parse(text)
  const kind = url ? kinds[url.protocol] : undefined
  if (!url?.hostname || !kind) throw notAProxy()
  const username = decoded(url.username)
  const password = decoded(url.password)
  const pair = Buffer.from(`${username}:${password}`).toString('base64')
  return {
    kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || defaultPorts[kind],
    username,
    password,
    authorization: username || password ? `Basic ${pair}` : undefined,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function notAProxy(): EngineError {
  const message =
    'This is not the URL of a proxy. Write it as http://user:password@host:port; https:// and socks5:// work too.'
  return new EngineError('invalid_request', message)
}
