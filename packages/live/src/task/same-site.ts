import { isSameSite } from '@harvestman/core/plugin'

/** The hosts that a task may visit. */
export interface Site {
  readonly name: string
  allows(address: string): boolean
}

/**
 * Returns the site (registrable domain) of a URL, extended by `more`: host names without port, each with its subdomains. `allows`
 * returns false for an invalid URL, and for schemes other than http(s), except `about:blank` and the URL itself. An invalid URL
 * allows only `more`.
 */
export function makeSite(address: string, more: readonly string[]): Site {
  const home = URL.parse(address)
  return {
    name: [home?.host ?? address, ...more].join(', '),
    allows: (other) => {
      const url = URL.parse(other)
      if (!url) return false
      if (url.href === 'about:blank' || url.href === home?.href) return true
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
      if (home && isSameSite(url.host, home.host)) return true
      return more.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
    },
  }
}
