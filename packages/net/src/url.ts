import { isIP } from 'node:net'

/** A parsed web URL, or the problem with it. */
export type ParsedUrl =
  | { readonly url: URL; readonly text: string; readonly problem?: undefined }
  | { readonly url?: undefined; readonly text?: undefined; readonly problem: string }

const maxUrlLength = 8_192

const invalid = { problem: 'Invalid URL' }
const wrongProtocol = { problem: 'URL uses unsupported protocol' }
const wrongHost = { problem: 'URL must have a valid top-level domain or be an IP address' }
const tooLong = { problem: `URL must not be longer than ${maxUrlLength} characters` }

/**
 * Parses the URL of a page as people write it: `http://` may be omitted. Never throws: an invalid URL, or one of more than
 * 8,192 characters, has a `problem` instead. `text` is the input with the scheme added and otherwise unchanged. URLs with one
 * of `moreSchemes` are returned unchanged. Problems have the wording of the public API, because clients may rely on it.
 */
export function parseWebUrl(input: string, moreSchemes: ReadonlySet<string> = noSchemes): ParsedUrl {
  const text = withScheme(input.trim())
  if (text.length > maxUrlLength) return tooLong
  const url = URL.parse(text)
  if (!url) return invalid
  if (!isWeb(url) && moreSchemes.has(url.protocol.slice(0, -1))) return { url, text }
  if (/^[a-z][a-z\d+.-]*:\/\/[a-z][a-z\d+.-]*:\/\//i.test(text)) return invalid
  if (!isWeb(url)) return wrongProtocol
  return isWebHost(url.hostname) ? { url, text } : wrongHost
}

const noSchemes: ReadonlySet<string> = new Set()

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function withScheme(text: string): string {
  const rest = /^[a-z][a-z\d+.-]*:(.*)$/is.exec(text)?.[1]
  if (rest === undefined) return text.startsWith('//') ? `http:${text}` : `http://${text}`
  // `example.com:8080/x` has no scheme, although it looks like one.
  return /^\d{1,5}(?:[/?#]|$)/.test(rest) ? `http://${text}` : text
}

/** Returns whether the host is an IP, `localhost`, or a name with a top-level domain. The guard decides which are allowed. */
function isWebHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  if (host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return true
  const labels = host.split('.')
  return labels.length > 1 && !labels.includes('') && /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(labels.at(-1)!)
}

/**
 * Returns a normalized URL, so that different spellings of the same URL are equal. The fragment is dropped unless it begins
 * with `/` or `!/`, which names a page of its own. Throws a `TypeError` for an invalid URL.
 */
export function canonicalUrl(input: URL | string): string {
  const url = new URL(input)
  // Sites with client-side routing have the page in the fragment; elsewhere it is an anchor on the page.
  if (!/^#!?\//.test(url.hash)) url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  url.pathname = plainPercents(url.pathname)
  url.search = plainPercents(url.search)
  return url.href
}

/** Normalizes percent-encoding: upper-case hex, and no encoded unreserved characters (RFC 3986, 6.2.2). */
function plainPercents(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase()
  })
}
