// Replaces secrets in recorded HTTP traffic.
import { secretParameters } from './secret-names.ts'

/** A header: its name in lower case, and its value. */
type Field = readonly [name: string, value: string]

/** What to omit from a record, in addition to the built-in list. */
export interface Secrets {
  /** Names of headers whose values are replaced. */
  readonly headers?: readonly string[] | undefined
  /** Names of URL query parameters whose values are replaced. */
  readonly query?: readonly string[] | undefined
  /** Strings that are replaced everywhere: in URLs, headers, bodies, questions and answers. At least 4 characters each. */
  readonly values?: readonly string[] | undefined
}

/** Replaces secrets in records, and in the keys used to find them. */
export interface Redaction {
  address(url: string): string
  headers(headers: readonly Field[]): readonly Field[]
  text(text: string): string
  /** Redacts a command-line argument. A header is one argument, `Name: value`. */
  argument(argument: string): string
  bytes(bytes: Uint8Array): Uint8Array
}

/** The replacement for a secret. */
export const leftOut = 'left-out'

const secretHeaders = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'set-cookie2',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-goog-api-key',
  'x-amz-security-token',
]

/**
 * Creates the redaction of one record from the built-in and the given secrets. Secrets are replaced by `left-out`; everything
 * else is unchanged. `headers` expects names in lower case.
 */
export function redactionOf({ headers = [], query = [], values = [] }: Secrets): Redaction {
  const names = new Set([...secretHeaders, ...headers.map((name) => name.toLowerCase())])
  const keys = new Set([...secretParameters, ...query].map((name) => name.toLowerCase()))
  // Longest first, since a secret may contain another.
  const found = values.toSorted((a, b) => b.length - a.length)
  const text = (given: string): string => found.reduce((all, value) => all.replaceAll(value, leftOut), given)
  const address = (url: string): string => text(withoutKeys(url, keys))
  const header = ([name, value]: Field): Field => {
    if (name === 'set-cookie') return [name, value.replace(/=[^;]*/, `=${leftOut}`)]
    if (names.has(name)) return [name, leftOut]
    return [name, name === 'location' || name === 'referer' ? address(value) : text(value)]
  }
  return {
    text,
    address,
    headers: (given) => given.map(header),
    argument: (given) => {
      const [name = ''] = given.split(':', 1)
      return names.has(name.toLowerCase()) ? `${name}: ${leftOut}` : address(given)
    },
    bytes: (given) => {
      const latin =
        found.length > 0 ? Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('latin1') : ''
      const hidden = found.reduce((all, value) => all.replaceAll(Buffer.from(value).toString('latin1'), leftOut), latin)
      return hidden === latin ? given : Buffer.from(hidden, 'latin1')
    },
  }
}

/** Replaces the values of secret query parameters. URLs without any are unchanged, down to their spelling. */
function withoutKeys(url: string, keys: ReadonlySet<string>): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const pairs = url
    .slice(at + 1)
    .split('&')
    .map((pair) => withoutKey(pair, keys))
  return `${url.slice(0, at)}?${pairs.join('&')}`
}

/** Replaces the value of a query parameter that is secret, or whose value is a URL with a secret parameter. */
function withoutKey(pair: string, keys: ReadonlySet<string>): string {
  const parts = pair.split('?')
  const nameOf = (part: string): string => part.split('=', 1)[0] ?? ''
  const secret = parts.findIndex((part) => keys.has(nameOf(part).toLowerCase()))
  if (secret < 0) return pair
  // A value may contain a question mark, so it ends with the pair.
  return [...parts.slice(0, secret), `${nameOf(parts[secret] ?? '')}=${leftOut}`].join('?')
}
