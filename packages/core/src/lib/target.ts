const mostLetters = 2_048
/** How many URLs of a batch are parsed to name its sites. */
const maxParsed = 10_000

/** Subject of a request for several pages: its URL if there is one, else the number of pages and their sites. */
export function subjectOf(urls: readonly unknown[]): string | undefined {
  const [first] = urls
  if (typeof first !== 'string' || urls.length === 1) return targetOf(first)
  const sites = new Set(urls.slice(0, maxParsed).map((url) => (typeof url === 'string' ? siteOf(url) : '')))
  const others = sites.size - 1
  const count = urls.length > maxParsed ? 'more sites' : `${others} more ${others === 1 ? 'site' : 'sites'}`
  return `${urls.length} pages of ${siteOf(first)}${others > 0 ? ` and ${count}` : ''}`.slice(0, mostLetters)
}

/** The host of a URL, also of one without a scheme. */
function siteOf(url: string): string {
  return (URL.parse(url) ?? URL.parse(`http://${url}`))?.host ?? url
}

/** Subject of a request, for a list: its address, without a name and a password, or its words; after a label if there is one. */
export function targetOf(value: unknown, label?: string): string | undefined {
  const target = plainTarget(value)
  return label === undefined || target === undefined ? target : `${label}: ${target}`.slice(0, mostLetters)
}

function plainTarget(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value)
  if (!url || (url.username === '' && url.password === '')) return value.slice(0, mostLetters)
  url.username = ''
  url.password = ''
  return url.href.slice(0, mostLetters)
}

/** A URL without the name and password before its host; the rest of the text is unchanged. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/i, '$1')
}
