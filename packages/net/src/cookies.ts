import type * as toughCookie from 'tough-cookie'

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

/** A cookie as a browser stores it. */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** With a leading dot if subdomains get it, too. */
  readonly domain: string
  readonly path: string
  /** Seconds since 1970, or -1 until the browser ends. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None' | undefined
}

/** A cookie that a response has set or deleted. */
export interface CookieChange {
  readonly cookie: StoredCookie
  readonly isDeleted: boolean
}

// At most the limits of browsers.
const maxCookieLength = 4_096
const maxCookies = 150
const maxStored = 3_000

/**
 * Creates a cookie jar in memory with the stored cookies, of which only the first 3,000 are used. Of the cookies of responses,
 * those of more than 4,096 characters, and those after the first 150, are ignored.
 */
export function makeCookies(stored: readonly StoredCookie[] = []): Cookies {
  // Created with the first cookie: most pages set none, and even an empty jar takes time to query.
  let jar = stored.length > 0 ? openJar(stored) : undefined
  let count = 0
  const changed = new Map<string, CookieChange>()
  return {
    keep: (setCookies, url) => {
      for (const text of setCookies) {
        if (text.length > maxCookieLength || count >= maxCookies) continue
        jar ??= openJar([])
        const set = jar.setCookieSync(text, url.href, { ignoreError: true })
        if (!set) continue
        count += 1
        const cookie = toStored(set)
        changed.set(keyOf(cookie), { cookie, isDeleted: set.TTL() <= 0 })
      }
    },
    of: (url) => {
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

function openJar(stored: readonly StoredCookie[]) {
  // Special-use names such as `localhost` may have cookies, although they are no registered domains.
  const { Cookie, CookieJar } = library()
  const jar = new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true, allowSpecialUseDomain: true })
  for (const { name, value, domain, path, expires, httpOnly, secure, sameSite } of stored.slice(0, maxStored)) {
    const host = domain.replace(/^\./, '')
    const url = URL.parse(`https://${host}/`)
    if (!url) continue
    const cookie = new Cookie({
      ...{ key: name, value, path, httpOnly, secure },
      ...(host === domain ? {} : { domain: host }),
      ...(expires >= 0 && { expires: new Date(expires * 1_000) }),
      ...(sameSite && { sameSite: sameSite.toLowerCase() }),
    })
    jar.setCookieSync(cookie, url.href, { ignoreError: true })
  }
  return jar
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
