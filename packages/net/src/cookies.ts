import type * as toughCookie from 'tough-cookie'

import { lateLibrary } from '@harvestman/toolbox/late-library'

const library = lateLibrary(import.meta.url, (require) => require('tough-cookie') as typeof toughCookie)

/** The cookies of one scrape. */
export interface Cookies {
  /** Stores the cookies of a response. Ignores cookies that a browser would reject. */
  keep(setCookies: readonly string[], url: URL): void
  /** Returns the cookies that a browser would send to this URL, as `name=value`, most specific path first. */
  of(url: URL): readonly string[]
}

// At most the limits of browsers.
const maxCookieLength = 4_096
const maxCookies = 150

/**
 * Creates an empty cookie jar in memory. Cookies of more than 4,096 characters, and those after the first 150, are ignored.
 */
export function makeCookies(): Cookies {
  // Created with the first cookie: most pages set none, and even an empty jar takes time to query.
  let jar: ReturnType<typeof openJar> | undefined
  let count = 0
  return {
    keep: (setCookies, url) => {
      for (const cookie of setCookies) {
        if (cookie.length > maxCookieLength || count >= maxCookies) continue
        jar ??= openJar()
        if (jar.setCookieSync(cookie, url.href, { ignoreError: true })) count += 1
      }
    },
    of: (url) => {
      const pairs = (jar?.getCookiesSync(url.href) ?? []).map((cookie) => cookie.cookieString())
      // Pairs without name and value, or with bytes that are invalid in a header, are not sent.
      return pairs.filter((pair) => /^[\x20-\x7e\x80-\xff]+$/.test(pair))
    },
  }
}

function openJar() {
  // Special-use names such as `localhost` may have cookies, although they are no registered domains.
  const { CookieJar } = library()
  return new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true, allowSpecialUseDomain: true })
}
