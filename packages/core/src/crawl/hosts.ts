import { isSameHost, isSameSite } from '@harvestman/site'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

/** Location of a URL relative to the start of a crawl. */
export type UrlLocation = 'inside' | 'subdomain' | 'social' | 'outside'

// Linked from buttons on most pages. A crawl that starts at one of these sites is inside it.
const social = [
  'facebook.com',
  'twitter.com',
  'x.com',
  'linkedin.com',
  'instagram.com',
  'pinterest.com',
  'github.com',
  'calendly.com',
  'discord.com',
  'discord.gg',
]

// The longest host name in DNS, with a port. A link can name a much longer one.
const maxHostLength = 259
// The links of a site lead to few other hosts, which are the same on most of its pages.
const maxCachedHosts = 1_000

/**
 * Returns a function that locates URLs: on the host of the start (`inside`), on its site (`subdomain`), on a social network or
 * elsewhere. It remembers the hosts of recent URLs.
 */
export function urlLocations(start: URL): (url: URL) => UrlLocation {
  const known = recentlyUsed<string, UrlLocation>(maxCachedHosts)
  return (url) => {
    const found = known.get(url.host)
    if (found) return found
    const location = urlLocation(url, start)
    if (url.host.length <= maxHostLength) known.set(hostOf(url), location)
    return location
  }
}

/**
 * Returns the host of a URL as a new string. V8 stores `url.host` as a slice of `url.href`: keeping it would keep the whole URL,
 * which may have megabytes.
 */
export function hostOf({ host }: URL): string {
  return ` ${host}`.slice(1)
}

function urlLocation(url: URL, start: URL): UrlLocation {
  if (isSameHost(url.host, start.host)) return 'inside'
  if (isSameSite(url.host, start.host)) return 'subdomain'
  const { hostname } = url
  return social.some((name) => hostname === name || hostname.endsWith(`.${name}`)) ? 'social' : 'outside'
}
