import type * as toughCookie from 'tough-cookie'

import { lateLibrary } from '@harvestman/ports/adapters'

const library = lateLibrary(import.meta.url, (require) => require('tough-cookie') as typeof toughCookie)

/** The cookies of one scrape. */
export interface Cookies {
  /** Keeps what an answer sets; what a browser would refuse is left out. */
  keep(setCookies: readonly string[], url: URL): void
  /** The cookies a browser would send there, as `name=value`, the most specific path first. */
  of(url: URL): readonly string[]
}

// What browsers keep at most, or a little less.
const longestCookie = 4_096
const mostCookies = 150

export function makeCookies(): Cookies {
  // Most pages set none, and even an empty jar takes its time to answer.
  let jar: ReturnType<typeof openJar> | undefined
  let count = 0
  return {
    keep: (setCookies, url) => {
      for (const cookie of setCookies) {
        if (cookie.length > longestCookie || count >= mostCookies) continue
        jar ??= openJar()
        if (jar.setCookieSync(cookie, url.href, { ignoreError: true })) count += 1
      }
    },
    of: (url) => {
      const pairs = (jar?.getCookiesSync(url.href) ?? []).map((cookie) => cookie.cookieString())
      // Without a name and a value, or with bytes that no header may hold, there is nothing to send.
      return pairs.filter((pair) => /^[\x20-\x7e\x80-\xff]+$/.test(pair))
    },
  }
}

function openJar() {
  // Names like `localhost` are no domains that have an owner, but they may have cookies.
  const { CookieJar } = library()
  return new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true, allowSpecialUseDomain: true })
}
