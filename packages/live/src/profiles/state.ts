// Converts the state of profiles from and to the formats of other tools.
import { EngineError, type Json, type StoredCookie } from '@harvestman/ports'

/** The storage of one origin in the form of Playwright. */
export interface StateOrigin {
  readonly origin: string
  readonly localStorage: readonly { readonly name: string; readonly value: string }[]
}

/** The storage state of Playwright. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[]
  readonly origins: readonly StateOrigin[]
}

/** Properties of an exported cookie. */
export interface GivenCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path?: string | undefined
  readonly expires?: number | undefined
  /** In seconds, as in exports of browser extensions. */
  readonly expirationDate?: number | undefined
  readonly hostOnly?: boolean | undefined
  readonly httpOnly?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly sameSite?: string | null | undefined
}

/** A state as it is imported: the content of a cookies.txt file, a list of cookies, or the storage state of Playwright. */
export type GivenState =
  | string
  | readonly GivenCookie[]
  | { readonly cookies: readonly GivenCookie[]; readonly origins: readonly StateOrigin[] }

/** State of the browser: its cookies, and local storage by origin. */
interface BrowserState {
  readonly cookies: readonly StoredCookie[]
  readonly storage: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** An imported state. */
export interface Imported {
  readonly state: Json
  readonly cookies: number
  readonly origins: number
  /** Number of cookies that have expired and were omitted. */
  readonly expired: number
}

/**
 * Converts a state for the browser. Expired cookies are omitted. Throws `invalid_request` for a cookie or an origin that no
 * browser accepts, and for a state without any; values are never in the message.
 */
export function importState(given: GivenState, now: number): Imported {
  const { cookies, origins } = partsOf(given)
  const all = cookies.map((cookie, index) => toCookie(cookie, `cookies[${index}]`))
  const current = all.filter(({ expires }) => expires < 0 || expires * 1_000 > now)
  const storage = Object.fromEntries(origins.map((one, index) => storageOf(one, `origins[${index}]`)))
  if (all.length === 0 && origins.length === 0)
    throw invalid('state has no cookies and no origins. Export it again while you are logged in.')
  // Through JSON, which omits absent properties.
  const state = JSON.parse(JSON.stringify({ cookies: current, storage } satisfies BrowserState)) as Json
  return { state, cookies: current.length, origins: origins.length, expired: all.length - current.length }
}

type Parts = Exclude<GivenState, string | readonly GivenCookie[]>

function partsOf(given: GivenState): Parts {
  if (typeof given === 'string') return { cookies: readCookiesTxt(given), origins: [] }
  return 'cookies' in given ? given : { cookies: given, origins: [] }
}

/** Converts the state of a browser to the storage state of Playwright. */
export function exportState(state: Json): StorageState {
  // Cast: states are saved by browsers and by `importState`.
  const { cookies = [], storage = {} } = state as unknown as Partial<BrowserState>
  return {
    cookies: cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite }) => {
      return {
        name,
        value,
        domain,
        path: path ?? '/',
        expires: expires ?? -1,
        httpOnly,
        secure,
        ...(sameSite && { sameSite }),
      }
    }),
    origins: Object.entries(storage).map(([origin, items]) => ({
      origin,
      localStorage: Object.entries(items).map(([name, value]) => ({ name, value })),
    })),
  }
}

const httpOnlyMark = '#HttpOnly_'

/** Reads the lines of a cookies.txt file: domain, subdomains, path, secure, expiry, name and value, separated by tabs. */
function readCookiesTxt(text: string): readonly GivenCookie[] {
  return text.split(/\r?\n/).flatMap((line, index): GivenCookie[] => {
    const httpOnly = line.startsWith(httpOnlyMark)
    if (line.trim() === '' || (line.startsWith('#') && !httpOnly)) return []
    const fields = (httpOnly ? line.slice(httpOnlyMark.length) : line).split('\t')
    const [domain = '', subdomains = '', path = '', secure = '', expires = '', name = '', value = ''] = fields
    if (fields.length < 6 || fields.length > 7 || !/^\d+(?:\.\d+)?$/.test(expires))
      throw invalid(`state: line ${index + 1} of cookies.txt does not have 7 fields separated by tabs.`)
    const isTrue = (field: string): boolean => field.toUpperCase() === 'TRUE'
    const life = Number(expires) > 0 ? { expires: Number(expires) } : {}
    return [{ domain, hostOnly: !isTrue(subdomains), path, secure: isTrue(secure), ...life, name, value, httpOnly }]
  })
}

const sameSites: Readonly<Record<string, StoredCookie['sameSite']>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
  no_restriction: 'None',
}
const maxCookie = 4_096

function toCookie(given: GivenCookie, where: string): StoredCookie {
  const { name, value, path = '/', httpOnly = false, secure = false } = given
  if (name === '' && value === '') throw invalid(`state: ${where} has no name and no value.`)
  if (/[\p{Cc};]/u.test(name + value) || name.includes('='))
    throw invalid(`state: ${where} has a name or value with a character that cookies cannot have.`)
  if (name.length + value.length > maxCookie)
    throw invalid(`state: ${where} has more than ${maxCookie} characters, which browsers refuse.`)
  if (!path.startsWith('/')) throw invalid(`state: the path of ${where} does not start with a slash.`)
  const expires = given.expires ?? given.expirationDate ?? -1
  const sameSite = sameSites[given.sameSite?.toLowerCase() ?? '']
  // Browsers refuse SameSite=None without Secure.
  const site = sameSite === 'None' && !secure ? undefined : sameSite
  return {
    name,
    value,
    domain: domainOf(given, where),
    path,
    expires,
    httpOnly,
    secure,
    ...(site && { sameSite: site }),
  }
}

/** A host name or an IP address, without a port. */
const hostPattern = /^(?:\[[\da-f:.]+\]|[^\s/?#@:\\]+)$/

function domainOf({ domain, hostOnly }: GivenCookie, where: string): string {
  const host = domain.replace(/^\./, '').toLowerCase()
  const url = hostPattern.test(host) ? URL.parse(`http://${host}/`) : null
  if (!url) throw invalid(`state: the domain of ${where} is not a host name.`)
  const isShared = hostOnly === undefined ? domain.startsWith('.') : !hostOnly
  return isShared ? `.${url.hostname}` : url.hostname
}

function storageOf({ origin, localStorage }: StateOrigin, where: string): readonly [string, Record<string, string>] {
  const url = URL.parse(origin)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin)
    throw invalid(`state: the origin of ${where} is not an origin such as https://example.com.`)
  return [origin, Object.fromEntries(localStorage.map(({ name, value }) => [name, value]))]
}

function invalid(message: string): EngineError {
  return new EngineError('invalid_request', message)
}
