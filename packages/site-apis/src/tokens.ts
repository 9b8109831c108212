// Values that a host issues for each visit, such as CSRF tokens: where they come from, and which URLs contain them.
import { hasEmbeddedSecret } from './embedded-secrets.ts'
import { withoutHash, type Exchange } from './exchanges.ts'
import type { Token } from './recipe.ts'
import { isOpaque, isSecretName } from './secret-values.ts'

/** Where a token comes from. */
export type Origin = Token['from']

/** The places where a token is searched. */
export interface OriginSources {
  /** The document. */
  readonly page: Exchange
  /** Exchanges before the request, without the document. */
  readonly earlier: readonly Exchange[]
  /** Exchanges of `earlier` from the site of the page or of the request. */
  readonly trusted: readonly Exchange[]
  /** The cookies that scripts of the page can read. */
  readonly cookies: string
  /** Placeholder of redacted secrets in the exchanges. Absent if nothing is redacted. */
  readonly redacted?: string | undefined
}

const maxOpaque = 4_000
const secretSegment =
  /^(?:(?:api|access|auth|refresh|csrf)[-_]?)?(?:auth|token|key|secret|csrf|xsrf|session|sign|signature|nonce)s?$/i

/** Returns whether a string contains the placeholder of redacted secrets. */
export function isRedacted(value: unknown, redacted: string | undefined): boolean {
  return redacted !== undefined && typeof value === 'string' && value.includes(redacted)
}

/**
 * Returns whether a segment of a path can be a secret, apart from the segments and values of the page's URL. `redacted` is the
 * placeholder of redacted secrets.
 */
export function hasSecretInPath(url: URL, page: URL, redacted?: string): boolean {
  const known = new Set([...segmentsOf(page), ...page.searchParams.values()])
  const segments = segmentsOf(url)
  return segments.some((one, at) => {
    const before = segments[at - 1] ?? ''
    if (isRedacted(one, redacted)) return true
    return one !== '' && !known.has(one) && (isOpaque(one) || (!known.has(before) && secretSegment.test(before)))
  })
}

/** Returns whether a value of a query can be a secret, apart from the values of the page's URL if there is one. */
export function hasSecretInQuery({ searchParams }: URL, page?: URL): boolean {
  const known = new Set(['', ...(page?.searchParams.values() ?? [])])
  return [...searchParams].some(
    ([name, value]) => !known.has(value) && (isOpaque(value) || isSecretName(name) || hasEmbeddedSecret(value, known)),
  )
}

/**
 * Returns the URL of a page without user name, password, and query values that may be secret, which are redacted, random or have such a name, such as
 * `code` after a login; or `undefined` if a segment of its path may be secret.
 */
export function withoutSecrets(url: URL, redacted: string | undefined): URL | undefined {
  const isUnsafe = segmentsOf(url).some(
    (one, at, all) =>
      isRedacted(one, redacted) || (one !== '' && secretSegment.test(all[at - 1] ?? '')) || isRandom(one),
  )
  if (isUnsafe) return undefined
  const safe = new URL(url)
  safe.username = ''
  safe.password = ''
  const pairs = [...url.searchParams]
  const secrets = pairs.filter(
    ([name, value]) =>
      isRedacted(value, redacted) ||
      (value !== '' && (isRandom(value) || isSecretName(name) || hasEmbeddedSecret(value))),
  )
  if (secrets.length === 0) return safe
  const names = new Set(secrets.map(([name]) => name))
  safe.search = new URLSearchParams(pairs.filter(([name]) => !names.has(name))).toString()
  return safe
}

/**
 * Returns whether a part of a URL is a random value. Numbers, names of products such as `iphone15promax`, and words with hyphens,
 * such as `lamps-of-2024`, are not.
 */
function isRandom(part: string): boolean {
  return /^[\da-f-]{32,}$/i.test(part) || part.split(/[-_.~]/).some((word) => isOpaque(word) && isRandomWord(word))
}

/** Returns whether a word has many runs of digits and letters, letters in upper case only, or a longest run without vowels. */
function isRandomWord(word: string): boolean {
  if ((word.match(/\d+|[a-z]+|[A-Z]+/g)?.length ?? 0) > 4) return true
  const longest = (word.match(/[a-z]+/gi) ?? []).reduce((one, other) => (other.length > one.length ? other : one), '')
  // The letters of a time, such as `20240102T030405Z`, are single ones.
  return longest.length > 1 && (!/[a-z]/.test(word) || !/[aeiouy]/i.test(longest))
}

const segmentsOf = ({ pathname }: URL): readonly string[] => pathname.split('/').map(decoded)

/** The value of a header without its scheme, such as `Bearer `. */
export function splitHeader(value: string): readonly [scheme: string, secret: string] {
  const [, scheme = '', secret = value] = /^([A-Za-z]{1,20} )(\S+)$/.exec(value) ?? []
  return [scheme, secret]
}

/**
 * Returns where a value comes from: a cookie, the document or an earlier response to a plain GET request. `undefined` if it is in
 * none of them, for example because a script computes it.
 */
export function originOf(value: string, { page, earlier, cookies }: OriginSources): Origin | undefined {
  const cookie = cookies.split('; ').find((one) => decoded(readCookie(one)[1]) === value)
  if (cookie !== undefined) return { in: 'cookie', name: readCookie(cookie)[0] }
  const inPage = around(page.text, value)
  if (inPage) return { in: 'page', ...inPage }
  for (const { method, url, text, sent } of earlier) {
    const place = method === 'GET' && sent === undefined ? around(text, value) : undefined
    const at = new URL(url)
    if (at.username + at.password !== '' || hasSecretInPath(at, new URL(page.url)) || hasSecretInQuery(at)) continue
    if (place) return { in: 'response', url: withoutHash(url), ...place }
  }
  return undefined
}

/** The characters before and after a token. */
export interface TextAround {
  readonly before: string
  readonly after: string
}

/** Finds the value of a token in a response. `undefined` if it is not there. */
export function tokenIn(text: string, { before, after }: TextAround): string | undefined {
  const at = text.indexOf(before)
  if (at < 0) return undefined
  const from = at + before.length
  const end = text.indexOf(after, from)
  return end > from && end - from <= maxOpaque ? text.slice(from, end) : undefined
}

/** Returns the name and the value of a `Set-Cookie` header. */
export function readCookie(cookie: string): readonly [name: string, value: string] {
  const [pair = ''] = cookie.split(';', 1)
  return [pair.split('=', 1)[0]?.trim() ?? '', pair.slice(pair.indexOf('=') + 1).trim()]
}

/** Decodes the percent-encoding of a cookie. Other values are unchanged. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const beforeSizes = [12, 24, 48, 96]

/** returns the shortest string before a value that finds it, and the character after it. */
function around(text: string, value: string): TextAround | undefined {
  const at = text.indexOf(value)
  const after = text.charAt(at + value.length)
  if (at < 0 || after === '' || value.includes(after)) return undefined
  for (const size of beforeSizes) {
    const before = text.slice(Math.max(0, at - size), at)
    // The characters before a token must not be part of another one.
    if (before !== '' && tokenIn(text, { before, after }) === value) return { before: before.slice(-120), after }
  }
  return undefined
}
