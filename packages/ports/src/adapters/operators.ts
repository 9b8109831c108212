import type { SearchCategory, SearchQuery } from '../search.ts'

/** The words of a query with what is asked of hits beside them, in the operators that web searches know. */
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

/** Returns whether an address is one that the query wants: searches take operators for advice. */
export function isWanted(url: URL, { includeDomains, excludeDomains, categories }: SearchQuery): boolean {
  if (includeDomains.length > 0 && !includeDomains.some((domain) => isWithin(url, domain))) return false
  if (excludeDomains.some((domain) => isWithin(url, domain))) return false
  return categories.length === 0 || categoryOf(url, categories) !== undefined
}

/** The first category that an address falls into. */
export function categoryOf(url: URL, categories: readonly SearchCategory[]): SearchCategory | undefined {
  return categories.find(
    ({ sites, file }) =>
      sites.some((domain) => isWithin(url, domain)) ||
      (file !== undefined && url.pathname.toLowerCase().endsWith(`.${file}`)),
  )
}

/** Returns whether the host is the domain, or below it. */
function isWithin({ hostname }: URL, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`)
}
