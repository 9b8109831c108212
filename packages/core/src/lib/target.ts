const maxTargetLength = 2_048
/** Maximum number of URLs of a batch that are parsed to count its sites. */
const maxParsed = 10_000

/**
 * Returns the subject of a request for several pages, in at most 2,048 characters: the URL if there is only one, otherwise the
 * number of pages, the host of the first and the number of other hosts. `undefined` if the first entry is not a string.
 */
export function describeUrls(urls: readonly unknown[]): string | undefined {
  const [first] = urls
  if (typeof first !== 'string' || urls.length === 1) return describeTarget(first)
  const siteOf = makeSiteReader()
  const sites = new Set(urls.slice(0, maxParsed).map((url) => (typeof url === 'string' ? siteOf(url) : '')))
  const others = sites.size - 1
  const count = urls.length > maxParsed ? 'more sites' : `${others} more ${others === 1 ? 'site' : 'sites'}`
  return `${urls.length} pages of ${siteOf(first)}${others > 0 ? ` and ${count}` : ''}`.slice(0, maxTargetLength)
}

/**
 * Creates a function that returns the host of a URL, even of one without a scheme. It parses the start of URLs, up to the path,
 * and each start once.
 */
function makeSiteReader(): (url: string) => string {
  const sites = new Map<string, string>()
  return (url) => {
    const start = /^https?:\/\/[^/?#\\]+/i.exec(url)?.[0] ?? url
    const site = sites.get(start) ?? (URL.parse(start) ?? URL.parse(`http://${start}`))?.host ?? url
    sites.set(start, site)
    return site
  }
}

/**
 * Returns the subject of a request for lists, in at most 2,048 characters: its URL without credentials, or its text; with the
 * label in front, if there is one. `undefined` if the value is not a string.
 */
export function describeTarget(value: unknown, label?: string): string | undefined {
  const target = plainTarget(value)
  return label === undefined || target === undefined ? target : `${label}: ${target}`.slice(0, maxTargetLength)
}

function plainTarget(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value)
  if (!url || (url.username === '' && url.password === '')) return value.slice(0, maxTargetLength)
  url.username = ''
  url.password = ''
  return url.href.slice(0, maxTargetLength)
}

/** Returns a URL without its credentials and otherwise unchanged. A string that is not a URL is returned unchanged. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/i, '$1')
}

/** Start of the URL of a file that has only a name. */
export const uploads = 'upload:///'

/** Returns the URL of a request as a document shows it: without credentials, or the name of a file that has no URL. */
export function displayUrl(url: string): string {
  return url.startsWith(uploads) ? decodeURIComponent(url.slice(uploads.length)) : withoutCredentials(url)
}
