import type { SearchCategory, SearchQuery } from '../search.ts'

/** Returns the words of a query with its domains and categories as the operators that web searches know, such as `site:`. */
export function withOperators({ words, includeDomains, excludeDomains, categories }: SearchQuery): string {
  return [
    words,
    anyOf(includeDomains.map(site)),
    anyOf(categories.flatMap(({ sites, file }) => [...sites.map(site), ...(file ? [`filetype:${file}`] : [])])),
    ...excludeDomains.map((domain) => `-${site(domain)}`),
  ]
    .filter(Boolean)
    .join(' ')
}

function site(domain: string): string {
  return `site:${domain}`
}

function anyOf(operators: readonly string[]): string {
  return operators.length > 1 ? `(${operators.join(' OR ')})` : (operators[0] ?? '')
}

/** Returns whether the query wants this URL: search engines do not always respect operators. */
export function isWanted(url: URL, { includeDomains, excludeDomains, categories }: SearchQuery): boolean {
  if (includeDomains.length > 0 && !includeDomains.some((domain) => isWithin(url, domain))) return false
  if (excludeDomains.some((domain) => isWithin(url, domain))) return false
  return categories.length === 0 || categoryOf(url, categories) !== undefined
}

/** Returns the first category that matches a URL. */
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
