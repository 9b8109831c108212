import { isSameHost, isSameSite } from '@harvestman/site'

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

/**
 * Returns whether a URL is on the host of the start (`inside`), on its site (`subdomain`), on a social network or elsewhere.
 */
export function urlLocation(url: URL, start: URL): UrlLocation {
  if (isSameHost(url.host, start.host)) return 'inside'
  if (isSameSite(url.host, start.host)) return 'subdomain'
  const { hostname } = url
  return social.some((name) => hostname === name || hostname.endsWith(`.${name}`)) ? 'social' : 'outside'
}
