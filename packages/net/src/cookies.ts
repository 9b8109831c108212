import type * as toughCookie from 'tough-cookie'

import type { StoredCookie } from '@harvestman/ports'
import { lateLibrary } from '@harvestman/toolbox/late-library'

const library = lateLibrary(import.meta.url, (require) => require('tough-cookie') as typeof toughCookie)

/** The cookies of one scrape. */
export interface Cookies {
  /** Stores the cookies of a response. Ignores cookies that a browser would reject. */
  keep(setCookies: readonly string[], url: URL): void
  /** Returns the cookies that a browser would send to this URL, as `name=value`, most specific path first. */
  of(url: URL): readonly string[]
  /** Returns the cookies that responses have set or deleted. */
  changes(): readonly CookieChange[]
}

/** A cookie that a response has set or deleted. */
export interface CookieChange {
  readonly cookie: StoredCookie
  readonly isDeleted: boolean
}

// At most the limits of browsers.
const maxCookieLength = 4_096
const maxCookies = 150
/** Maximum number of stored cookies of a domain. */
export const maxOfDomain = 180

/**
 * Creates a cookie jar in memory with the stored cookies, oldest first, of which the newest 180 of each domain are used. Of the
 * cookies of responses, those of more than 4,096 characters, and those after the first 150, are ignored.
 */
export function makeCookies(stored: readonly StoredCookie[] = []): Cookies {
  // Created with the first cookie: most pages set none, and even an empty jar takes time to query.
  let jar: toughCookie.CookieJar | undefined
  let count = 0
  const unused = byDomain(stored)
  /** Adds the stored cookies that pages of the host may get, before its first request. */
  const addStored = ({ hostname }: URL): void => {
    for (const domain of unused.size > 0 ? domainsOf(hostname) : []) {
      const found = unused.get(domain)
      if (!found) continue
      unused.delete(domain)
      jar ??= openJar()
      for (const cookie of newest(found)) addTo(jar, cookie)
    }
  }
  const changed = new Map<string, CookieChange>()
  return {
    keep: (setCookies, url) => {
      addStored(url)
      for (const text of setCookies) {
        if (text.length > maxCookieLength || count >= maxCookies) continue
        jar ??= openJar()
        const set = jar.setCookieSync(text, url.href, { ignoreError: true })
        if (!set) continue
        count += 1
        // A browser stores it only for the top-level site, so it is not a cookie of other pages.
        if (isPartitioned(set)) continue
        const cookie = toStored(set)
        changed.set(keyOf(cookie), { cookie, isDeleted: set.TTL() <= 0 })
      }
    },
    of: (url) => {
      addStored(url)
      const pairs = (jar?.getCookiesSync(url.href) ?? []).map((cookie) => cookie.cookieString())
      // Pairs without name and value, or with bytes that are invalid in a header, are not sent.
      return pairs.filter((pair) => /^[\x20-\x7e\x80-\xff]+$/.test(pair))
    },
    changes: () => [...changed.values()],
  }
}

/** Returns what two cookies share of which one replaces the other. */
export function keyOf({ name, domain, path }: Pick<StoredCookie, 'name' | 'domain' | 'path'>): string {
  return JSON.stringify([name, domain, path])
}

/** Returns whether a cookie has expired, at a time in milliseconds since 1970. */
export function isExpired(expires: number, now: number): boolean {
  return expires >= 0 && expires * 1_000 <= now
}

function byDomain(stored: readonly StoredCookie[]): Map<string, StoredCookie[]> {
  const now = Date.now()
  const found = Map.groupBy(stored, ({ domain }) => domain.toLowerCase())
  for (const [domain, cookies] of found) {
    const valid = cookies.filter(({ expires }) => !isExpired(expires, now))
    if (valid.length > 0) found.set(domain, valid)
    else found.delete(domain)
  }
  return found
}

function newest(cookies: readonly StoredCookie[]): readonly StoredCookie[] {
  return cookies.slice(-maxOfDomain)
}

/** Returns the domains of the cookies that a host may get. */
function domainsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return [host, ...labels.map((_, index) => `.${labels.slice(index).join('.')}`)]
}

function openJar(): toughCookie.CookieJar {
  // Special-use names such as `localhost` may have cookies, although they are no registered domains.
  return new (library().CookieJar)(undefined, {
    looseMode: true,
    rejectPublicSuffixes: true,
    allowSpecialUseDomain: true,
  })
}

function addTo(jar: toughCookie.CookieJar, stored: StoredCookie): void {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = stored
  const host = domain.replace(/^\./, '')
  const url = URL.parse(`https://${host}/`)
  if (!url) return
  const cookie = new (library().Cookie)({
    ...{ key: name, value, path, httpOnly, secure },
    ...(host === domain ? {} : { domain: host }),
    ...(expires >= 0 && { expires: new Date(expires * 1_000) }),
    ...(sameSite && { sameSite: sameSite.toLowerCase() }),
  })
  jar.setCookieSync(cookie, url.href, { ignoreError: true })
}

function isPartitioned({ extensions }: toughCookie.Cookie): boolean {
  return extensions?.some((one) => /^partitioned$/i.test(one.trim())) === true
}

function toStored(cookie: toughCookie.Cookie): StoredCookie {
  const { key: name, value, domain, hostOnly, path, httpOnly, secure, sameSite } = cookie
  const at = cookie.expiryTime()
  return {
    ...{ name, value, httpOnly, secure, path: path ?? '/' },
    domain: hostOnly === true ? (domain ?? '') : `.${domain ?? ''}`,
    expires: at === undefined || !Number.isFinite(at) ? -1 : Math.max(0, at / 1_000),
    ...(isSameSite(sameSite) && { sameSite: sameSites[sameSite] }),
  }
}

const sameSites = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

function isSameSite(value: string | undefined): value is keyof typeof sameSites {
  return value !== undefined && Object.hasOwn(sameSites, value)
}
