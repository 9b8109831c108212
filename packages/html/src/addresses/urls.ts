// Resolves the links of a page. Network rules (which hosts may be requested) are in `net`.

import { detached } from '../tree/detached.ts'
import type { Element } from '../tree/tree.ts'

/** The base URL for relative links, split into the parts that most links need, so that few links need a URL parser. */
export interface Base {
  readonly href: string
  /** `https://site`, or empty if links cannot be resolved by concatenation. */
  readonly origin: string
  readonly protocol: string
  /** The URL up to the last slash of its path. */
  readonly folder: string
  /** Without query and fragment. */
  readonly path: string
  /** Without fragment. */
  readonly page: string
  /** Cache of resolved links. Menus repeat links, and several functions resolve the same ones. */
  readonly resolved: Map<string, string | undefined>
}

/**
 * Creates the base that relative URLs are resolved against. If `href` is not a URL, or has no path as `about:blank`, only
 * absolute ones resolve.
 */
export function makeBase(href: string): Base {
  const url = URL.parse(href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { href: url?.href ?? '', origin: '', protocol: '', folder: '', path: '', page: '', resolved: new Map() }
  }
  const login = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}@`
  const path = `${url.protocol}//${login}${url.host}${url.pathname}`
  return {
    href: url.href,
    // Concatenation is off for URLs with credentials; the URL parser handles those.
    origin: login === '' ? url.origin : '',
    protocol: url.protocol,
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    path,
    page: path + url.search,
    resolved: new Map(),
  }
}

/** Returns the base of a page, given all its elements: its first `<base href>` if that is an http(s) URL, or else its URL. */
export function findBase(elements: readonly Element[], url: string): Base {
  for (const { name, attributes } of elements) {
    if (name !== 'base') continue
    const { href } = attributes
    if (href === undefined) continue
    const resolved = URL.parse(href.trim(), url)
    if (resolved && /^https?:$/.test(resolved.protocol)) return makeBase(resolved.href)
    break
  }
  return makeBase(url)
}

// Characters that `new URL` copies unchanged in paths, queries and fragments. Links with others go through the parser.
const plain = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&()*+,;=:@/?#') {
  plain[character.charCodeAt(0)] = 1
}
const dot = 46
const slash = 47
const percent = 37
const hash = 35

/** Returns whether a URL parser would copy the link unchanged: no dot segments, no encoded dots or other rare forms. */
function isPlain(href: string): boolean {
  let before = slash
  let hashes = 0
  for (let index = 0; index < href.length; index++) {
    const code = href.charCodeAt(index)
    if (code === dot && before === slash) return false
    if (code === hash && ++hashes > 1) return false
    if (code === percent ? href.charCodeAt(index + 1) === 50 : plain[code] !== 1) return false
    before = code
  }
  return true
}

const plainHost = /^https?:\/\/(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d]*(?=\/)/
const punycode = 'xn--'

/**
 * Returns the absolute URL of a link, of any scheme, or `undefined` if it is not valid. Typos such as `http:/x` are repaired.
 * Never throws.
 */
export function resolveUrl(href: string, base: Base): string | undefined {
  const known = base.resolved.get(href)
  if (known !== undefined || base.resolved.has(href)) return known
  const url = resolve(href, base)
  base.resolved.set(href, url)
  return url
}

function resolve(href: string, base: Base): string | undefined {
  if (href.length === 0) return base.page === '' ? undefined : base.page
  if (base.origin !== '' && isPlain(href)) {
    const joined = join(href, base)
    if (joined !== undefined) return joined
  }
  return URL.parse(repairScheme(href.trim()), base.href === '' ? undefined : base.href)?.href
}

// Handles nearly all links without a URL parser.
function join(href: string, base: Base): string | undefined {
  const first = href.charCodeAt(0)
  if (first === 47) {
    if (href.charCodeAt(1) !== 47) return base.origin + href
    return keepAbsolute(base.protocol + href)
  }
  if (first === 35) return base.page + href
  if (first === 63) return base.path + href
  // `https//x` is a mistyped URL, not a folder.
  if (!href.includes(':')) return href.includes('//') ? undefined : base.folder + href
  return keepAbsolute(href)
}

function keepAbsolute(href: string): string | undefined {
  return plainHost.test(href) && !href.includes(punycode) ? detached(href) : undefined
}

const typos: readonly (readonly [RegExp, string])[] = [
  [/^(https?):\/(?=[^/])/i, '$1://'],
  [/^(https?)\/\/(?=[^/])/i, '$1://'],
  [/^(?:https?:\/\/)+(?=https?:\/\/)/i, ''],
  [/^(?:htt|ttp|hhttp|htttp|httpp)(s?):\/\//i, 'http$1://'],
]

/** Repairs common typos: `http:/x`, `https//x`, `http://https://x`, `ttps://x`. */
function repairScheme(href: string): string {
  if (!/^[ht]+p*s?:?\//i.test(href)) return href
  for (const [typo, right] of typos) {
    const repaired = href.replace(typo, right)
    if (repaired !== href) return repaired
  }
  return href
}

const unfollowable = ['javascript', 'data', 'blob', 'about', 'vbscript', 'file']
const startsUnfollowable = new RegExp(`^\\s*(?:${unfollowable.join('|')}):`, 'i')

/** Printable ASCII characters with which none of these schemes start. Most links start with one of them. */
const startsFollowable = new Uint8Array(128).fill(1, 0x21, 0x7f)
for (const [first] of unfollowable) {
  startsFollowable[first!.charCodeAt(0)] = 0
  startsFollowable[first!.toUpperCase().charCodeAt(0)] = 0
}

/** Returns whether a user can open the link, rather than run code (`javascript:`) or read inline data (`data:`). */
export function isFollowable(href: string): boolean {
  if (startsFollowable[href.charCodeAt(0)] === 1) return true
  // URL parsers ignore tabs, line breaks and leading control characters.
  const url = /[\u0000-\u001f]/.test(href) ? href.replaceAll(/[\u0000-\u001f]+/g, '') : href
  return !startsUnfollowable.test(url)
}
