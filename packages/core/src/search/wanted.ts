import type { SearchCategory, SearchQuery } from '@harvestman/ports'

/** Returns whether the query wants this URL: search engines do not always respect operators. */
export function matchesQuery(url: URL, { includeDomains, excludeDomains, categories }: SearchQuery): boolean {
  if (includeDomains.length > 0 && !includeDomains.some((domain) => isWithin(url, domain))) return false
  if (excludeDomains.some((domain) => isWithin(url, domain))) return false
  return categories.length === 0 || categoryOf(url, categories) !== undefined
}

/** Returns the first category that matches a URL; `undefined` if none does. */
export function categoryOf(url: URL, categories: readonly SearchCategory[]): SearchCategory | undefined {
  return categories.find(
    ({ sites, file }) =>
      sites.some((domain) => isWithin(url, domain)) ||
      (file !== undefined && url.pathname.toLowerCase().endsWith(`.${file}`)),
  )
}

/** Returns whether the host is the domain or one of its subdomains. */
function isWithin({ hostname }: URL, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`)
}
