import type { BrowserIdentity } from '@harvestman/ports'

// Headers that describe the transport, and so are set by the sender, and headers that a proxy would act on.
const forbidden: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'http2-settings',
  'te',
  'trailer',
  'trailers',
  'expect',
])

// Headers that describe the client but do not identify a user to a host.
const safeAcrossOrigins: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'dnt',
  'pragma',
  'priority',
  'range',
  'save-data',
  'upgrade-insecure-requests',
  'user-agent',
  'content-type',
])

/** Maximum number of headers that a caller may send. */
export const maxHeaders = 100
const maxBytes = 65_536

/**
 * Returns the first problem with the headers of a caller as a sentence, or `undefined` if they are valid. At most 100 headers
 * and 65,536 bytes are allowed.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) return `At most ${maxHeaders} headers can be sent; these are ${entries.length}.`
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  if (bytes > maxBytes) return `At most ${maxBytes} bytes of headers can be sent; these are ${bytes}.`
  const seen = new Set<string>()
  for (const [name, value] of entries) {
    const problem = checkHeader(name, value, seen)
    if (problem) return problem
    seen.add(name.toLowerCase())
  }
  return undefined
}

function checkHeader(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  const small = name.toLowerCase()
  const shown = JSON.stringify(name.slice(0, 60))
  if (forbidden.has(small) || small.startsWith(':') || small.startsWith('proxy-')) {
    return `The header ${shown} cannot be set: it belongs to the connection. Remove it.`
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return `The header ${shown} has a name that HTTP does not allow. Use letters, digits and hyphens.`
  }
  if (seen.has(small)) return `The header ${shown} is given twice. Give it once.`
  if (/[\r\n\0]/.test(value)) return `The header ${shown} has a line break or a NUL in its value. Remove it.`
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    return `The header ${shown} has a character in its value that HTTP cannot carry. Use Latin characters, or encode it.`
  }
  return undefined
}

/** Returns whether a header given for one origin may be sent to another. Expects its name in lower case. */
export function isSafeAcrossOrigins(name: string): boolean {
  return safeAcrossOrigins.has(name) || /^sec-(?:ch-ua|fetch-)/.test(name)
}

/** Inputs for the default headers. */
export interface HeaderOptions {
  /** In order of preference, for example `de-AT`. */
  readonly languages?: readonly string[] | undefined
  readonly mobile?: boolean | undefined
  /** The browser that the engine uses. Default: a current Chrome on this platform. */
  readonly browser?: BrowserIdentity | undefined
}

// Without a browser, there is none to agree with.
const withoutBrowser: BrowserIdentity = { version: 156, brand: 'Google Chrome', platform: platformHere() }

const systems: Readonly<Record<BrowserIdentity['platform'], string>> = {
  Linux: 'X11; Linux x86_64',
  macOS: 'Macintosh; Intel Mac OS X 10_15_7',
  Windows: 'Windows NT 10.0; Win64; x64',
}

/** Returns the platform of this host, as browsers name it. */
export function platformHere(): BrowserIdentity['platform'] {
  const { platform } = process
  return platform === 'darwin' ? 'macOS' : platform === 'win32' ? 'Windows' : 'Linux'
}

// The first version with JPEG XL.
const jxlSince = 156

/** Returns the headers that the browser sends for a URL typed by a person, in the same order. Names are in lower case. */
export function defaultHeaders(options: HeaderOptions = {}): Record<string, string> {
  const { languages = [], mobile = false, browser = withoutBrowser } = options
  const images = `${browser.version >= jxlSince ? 'image/jxl,' : ''}image/avif,image/webp,image/apng`
  return {
    'sec-ch-ua': brandsOf(browser)
      .map(({ brand, version }) => `"${brand}";v="${version}"`)
      .join(', '),
    'sec-ch-ua-mobile': mobile ? '?1' : '?0',
    'sec-ch-ua-platform': mobile ? '"Android"' : `"${browser.platform}"`,
    'upgrade-insecure-requests': '1',
    'user-agent': userAgentOf(browser, mobile),
    accept: `text/html,application/xhtml+xml,application/xml;q=0.9,${images},*/*;q=0.8,application/signed-exchange;v=b3;q=0.7`,
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'sec-fetch-dest': 'document',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': acceptLanguage(languages.length > 0 ? languages : ['en-US']),
  }
}

/**
 * Returns the default headers, overridden by the given ones, whose names must be in lower case. With another user agent,
 * Chrome's client hints are omitted.
 */
export function pageHeaders(given: Readonly<Record<string, string>>, options?: HeaderOptions): Record<string, string> {
  const usual = Object.entries(defaultHeaders(options))
  // Chrome's client hints would contradict another user agent.
  const isOther = 'user-agent' in given
  const defaults = isOther ? usual.filter(([name]) => !name.startsWith('sec-ch-ua')) : usual
  return { ...Object.fromEntries(defaults), ...given }
}

/** Returns the user agent as Chromium reduces it: only the major version, and a fixed version of the system. */
export function userAgentOf({ version, brand, platform }: BrowserIdentity, mobile: boolean): string {
  const device = mobile ? 'Linux; Android 10; K' : systems[platform]
  const product = brand === 'Microsoft Edge' ? ` Edg${mobile ? 'A' : ''}/${version}.0.0.0` : ''
  return `Mozilla/5.0 (${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36${product}`
}

// Chromium adds an invented brand and shuffles the list, both depending on its version.
const orders = ['012', '021', '102', '120', '201', '210']
const marks = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_']
const inventedVersions = ['8', '99', '24']

/**
 * Returns the brands that Chromium reports, in its order. With `full`, a version such as `150.0.7871.100`, it is the list of
 * full versions.
 */
export function brandsOf(
  { version, brand }: BrowserIdentity,
  full?: string,
): { readonly brand: string; readonly version: string }[] {
  const mark = (number: number): string => marks[number % marks.length]!
  const invented = inventedVersions[version % inventedVersions.length]!
  const own = full ?? String(version)
  const named = [
    { brand: `Not${mark(version)}A${mark(version + 1)}Brand`, version: full ? `${invented}.0.0.0` : invented },
    { brand: 'Chromium', version: own },
    ...(brand === undefined ? [] : [{ brand, version: own }]),
  ]
  const places = named.length === 2 ? (version % 2 === 0 ? '01' : '10') : orders[version % orders.length]!
  return named
    .map((one, index) => ({ one, place: Number(places[index]) }))
    .sort((one, other) => one.place - other.place)
    .map(({ one }) => one)
}

/** Returns the `Accept-Language` value. Like Chrome, adds each language without its region after the last of its regions. */
function acceptLanguage(languages: readonly string[]): string {
  const all = languages.flatMap((tag, index) => {
    const [base = tag] = tag.split('-')
    const comesLater = languages.slice(index + 1).some((later) => later.split('-')[0] === base)
    return base === tag || comesLater ? [tag] : [tag, base]
  })
  const quality = (index: number): string => (index === 0 ? '' : `;q=${Math.max(0.1, 1 - index / 10).toFixed(1)}`)
  return [...new Set(all)].map((tag, index) => `${tag}${quality(index)}`).join(',')
}
