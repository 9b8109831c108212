// What the links of a page mean. Pure: whether we may go there is asked in `net`.

import { detached } from '../tree/detached.ts'
import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

/** What relative links are resolved against. The parts are what most links need, so that few are parsed. */
export interface Base {
  readonly href: string
  /** `https://site`, empty when links cannot be resolved by joining strings. */
  readonly origin: string
  readonly protocol: string
  /** Up to the last slash of the path. */
  readonly folder: string
  /** Without query and fragment. */
  readonly path: string
  /** Without fragment. */
  readonly page: string
  /** What was resolved before: the menus of a page hold the same links as its text, and several readings ask for all. */
  readonly resolved: Map<string, string | undefined>
}

export function makeBase(href: string): Base {
  const url = URL.parse(href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { href: url?.href ?? '', origin: '', protocol: '', folder: '', path: '', page: '', resolved: new Map() }
  }
  const login = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}@`
  const path = `${url.protocol}//${login}${url.host}${url.pathname}`
  return {
    href: url.href,
    // With a login in it the base is not simple: such links are parsed.
    origin: login === '' ? url.origin : '',
    protocol: url.protocol,
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    path,
    page: path + url.search,
    resolved: new Map(),
  }
}

/** The base of a page: its first `<base href>`, else its URL. */
export function findBase(root: Element, url: string): Base {
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type !== 'element' || node.name !== 'base') continue
    const { href } = node.attributes
    if (href === undefined) continue
    const resolved = URL.parse(href.trim(), url)
    if (resolved && /^https?:$/.test(resolved.protocol)) return makeBase(resolved.href)
    break
  }
  return makeBase(url)
}

// What `new URL` leaves as it is, in a path or query and in a fragment. Anything else (spaces, quotes, …) is left to it.
const plain = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&()*+,;=:@/?#') {
  plain[character.charCodeAt(0)] = 1
}
const dot = 46
const slash = 47
const percent = 37
const hash = 35

/** Would a parser copy it unchanged? Not if it steps up the path, or is written in an unusual way. */
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

/** The absolute URL that a link of the page means, or undefined when it means none. Never throws. */
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

// The cases that need no parser: nearly all links of nearly all pages.
function join(href: string, base: Base): string | undefined {
  const first = href.charCodeAt(0)
  if (first === 47) {
    if (href.charCodeAt(1) !== 47) return base.origin + href
    return keepAbsolute(base.protocol + href)
  }
  if (first === 35) return base.page + href
  if (first === 63) return base.path + href
  // `https//x` is a mistyped address, not a folder.
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

/** Repairs what people mistype: `http:/x`, `https//x`, `http://https://x`, `ttps://x`. */
function repairScheme(href: string): string {
  if (!/^[ht]+p*s?:?\//i.test(href)) return href
  for (const [typo, right] of typos) {
    const repaired = href.replace(typo, right)
    if (repaired !== href) return repaired
  }
  return href
}

/** Does the link lead to something a person can open or write to, rather than run or hold data? */
export function isFollowable(href: string): boolean {
  return !/^\s*(?:javascript|data|blob|about|vbscript|file):/i.test(href)
}
