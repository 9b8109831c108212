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
    known.set(url.host, location)
    return location
  }
}

function urlLocation(url: URL, start: URL): UrlLocation {
  if (isSameHost(url.host, start.host)) return 'inside'
  if (isSameSite(url.host, start.host)) return 'subdomain'
  const { hostname } = url
  return social.some((name) => hostname === name || hostname.endsWith(`.${name}`)) ? 'social' : 'outside'
}
