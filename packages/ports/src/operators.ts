import type { SearchQuery } from './search.ts'

/**
 * Returns a query as one string for web searches, with domains and categories as operators such as `site:`. Other options of
 * the query are not in it.
 */
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
