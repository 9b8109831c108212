// Addresses of links and images: resolved, and written so that Markdown reads them back as one.

export interface Address {
  readonly base: string | undefined
  /** `https://site` of the base. */
  readonly origin: string
  /** The base up to its last slash. */
  readonly folder: string
  /** The base without its fragment. */
  readonly page: string
}

export function makeAddress(base: string | undefined): Address {
  const url = base === undefined || !URL.canParse(base) ? undefined : new URL(base)
  // Only web addresses can be resolved by joining strings, and only those are worth resolving.
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { base: undefined, origin: '', folder: '', page: '' }
  }
  const path = url.origin + url.pathname
  return { base: url.href, origin: url.origin, folder: path.slice(0, path.lastIndexOf('/') + 1), page: path + url.search }
}

/** Characters that `new URL` would leave as they are, and no step up or down the path. */
const plain = /^[\w\-~!$&()*+,;=:@%/?#.]+$/
const steps = /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|%2e/i

export function resolve(address: Address, raw: string): string {
  const url = clean(raw)
  if (address.base === undefined || hasScheme(url)) return url
  if (url === '') return address.page
  const first = url.charCodeAt(0)
  if (plain.test(url)) {
    if (first === 35) return address.page + url
    const path = first === 47 ? url.slice(1) : url
    if (first !== 63 && !steps.test(pathOf(path))) return (first === 47 ? address.origin + '/' : address.folder) + path
  }
  return URL.canParse(url, address.base) ? new URL(url, address.base).href : url
}

function clean(raw: string): string {
  const url = raw.trim()
  return /[\t\n\r]/.test(url) ? url.replace(/[\t\n\r]+/g, '') : url
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

function hasScheme(url: string): boolean {
  const colon = url.indexOf(':')
  return colon > 1 && colon < 32 && /^[a-z][a-z0-9+.-]*:/i.test(url)
}

const simple = /^[^\s()<>\\|&`\u0000-\u001f\u007f]+$/

/** The address as the destination of a link: nothing in it ends the link early. */
export function destination(url: string): string {
  if (simple.test(url)) return url
  let written = url.replace(/[\s\u0000-\u001f\u007f<>\\|`]/g, encode)
  if (written.includes('&')) written = written.replace(/&(?=#?\w{1,32};)/g, '&amp;')
  return isBalanced(written) ? written : written.replace(/[()]/g, '\\$&')
}

function encode(character: string): string {
  return character === '\u00a0' ? character : encodeURIComponent(character.toWellFormed())
}

function isBalanced(url: string): boolean {
  let depth = 0
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (code === 40) depth++
    else if (code === 41) depth--
    if (depth < 0 || depth > 30) return false
  }
  return depth === 0
}

/** A title with the space before it, or nothing. */
export function titlePart(title: string | undefined): string {
  if (title === undefined) return ''
  const text = title.trim().replace(/\s+/g, ' ')
  return text === '' ? '' : ` "${text.replace(/["\\]/g, '\\$&').replace(/&(?=#?\w{1,32};)/g, '&amp;')}"`
}
