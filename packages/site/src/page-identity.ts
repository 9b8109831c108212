import { canonicalUrl } from '@harvestman/net/request'
import { withoutWww } from './domains.ts'

export interface NormaliseOptions {
  /** Removes the query, so that all URLs with the same path are one page. */
  readonly ignoreQueryParameters: boolean
}

/**
 * Normalizes the URL of a page: URLs that are equivalent by the standards become equal. Removes user name, password and
 * fragment, except a route of client-side routing such as `#/about`. Returns `undefined` if it is not a valid web URL.
 */
export function normaliseUrl(url: URL | string, options: NormaliseOptions): string | undefined {
  if (typeof url === 'string' && isPlain(url)) return options.ignoreQueryParameters ? withoutQuery(url) : url
  const parsed = typeof url === 'string' ? URL.parse(url) : new URL(url)
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') || parsed.hostname === '')
    return undefined
  parsed.username = ''
  parsed.password = ''
  if (options.ignoreQueryParameters) parsed.search = ''
  // A fragment with a route of client-side routing is a page; `#/` alone is its start page.
  if (parsed.hash.replace('!', '').length <= 2) parsed.hash = ''
  const text = canonicalUrl(parsed)
  return parsed.search === '' ? withoutEmptyQuery(text) : text
}

// Most URLs are normalized already. Checking that costs a quarter of parsing them.
const plainName = String.raw`(?:[a-z\d-]+\.)+[a-z][a-z\d-]*|localhost`
const plainNumber = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const plainHost = String.raw`(?:${plainName}|(?:${plainNumber}\.){3}${plainNumber})(?::(?!(?:80|443)\/)(?:[1-9]\d{0,3}|[1-5]\d{4}))?`
const plainRest = String.raw`(?:[\w\-.~!$&'()*+,;=:@/]|%[89A-F][\dA-F])*(?:\?(?:[\w\-.~!$&()*+,;=:@/?]|%[89A-F][\dA-F])+)?`
const plainUrl = new RegExp(String.raw`^https?:\/\/${plainHost}\/${plainRest}$`)

function isPlain(url: string): boolean {
  return plainUrl.test(url) && !url.includes('/.', 8) && !url.includes('xn--', 7)
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

function withoutEmptyQuery(url: string): string {
  return url.replace(/^([^#?]*)\?(?=#|$)/, '$1')
}

/**
 * Returns a key that is equal for URLs that lead to the same page on nearly every site: with or without `www.`, http or https,
 * a trailing slash or index page, any order of parameters, and with or without tracking parameters. Expects a result of
 * `normaliseUrl`.
 */
export function similarKey(normalised: string): string {
  const start = normalised.indexOf('//') + 2
  const hashAt = normalised.indexOf('#', start)
  const hash = hashAt < 0 ? '' : normalised.slice(hashAt)
  const main = hashAt < 0 ? normalised : normalised.slice(0, hashAt)
  const queryAt = main.indexOf('?', start)
  const place = queryAt < 0 ? main.slice(start) : main.slice(start, queryAt)
  const query = queryAt < 0 ? '' : plainQuery(main.slice(queryAt + 1))
  return withoutEnd(withoutWww(place)) + query + hash
}

function withoutEnd(place: string): string {
  const path = place.endsWith('/index.html')
    ? place.slice(0, -11)
    : place.endsWith('/index.php')
      ? place.slice(0, -10)
      : place
  return path.endsWith('/') ? path.slice(0, -1) : path
}

// Parameters added by advertising and mailing services, which do not affect the content of a page.
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|_ga|_gl|srsltid|vero_id|oly_anon_id|oly_enc_id|_openstat|wickedid|rb_clickid|s_cid|hsctatracking)(?:=|$)/i

function plainQuery(query: string): string {
  const parts = query.split('&').filter((part) => part !== '' && !tracking.test(part))
  if (parts.length === 0) return ''
  // Values of one name keep their order, which may be significant. The sort is stable.
  if (parts.length > 1) parts.sort((one, other) => compare(one.split('=', 1)[0] ?? '', other.split('=', 1)[0] ?? ''))
  return `?${parts.join('&')}`
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
