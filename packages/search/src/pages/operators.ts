// Filters within a query, such as `site:example.com`.

/** Filters of a query. Empty lists filter nothing. */
export interface Filters {
  readonly sites: readonly string[]
  readonly otherSites: readonly string[]
  /** Beginnings of paths. */
  readonly paths: readonly string[]
  /** Codes of two or three characters, lower case. */
  readonly languages: readonly string[]
  /** Times of scraping in milliseconds since 1970. */
  readonly after: number | undefined
  readonly before: number | undefined
}

const maxFilters = 16
const pattern = /(?<=^|\s)(-?)(site|path|lang|after|before):(\S{1,500})(?=\s|$)/giu

/**
 * Splits a query into words and filters: `site:`, `-site:`, `path:`, `lang:`, `after:` and `before:`. An invalid filter
 * remains a word. Each kind has at most 16.
 */
export function readFilters(typed: string): { readonly words: string; readonly filters: Filters } {
  const found: Record<'sites' | 'otherSites' | 'paths' | 'languages', string[]> = {
    ...{ sites: [], otherSites: [], paths: [], languages: [] },
  }
  let [after, before]: (number | undefined)[] = []
  const add = (list: string[], value: string | undefined): boolean =>
    value !== undefined && list.length < maxFilters && list.push(value) > 0
  const take = (isNot: boolean, name: string, value: string): boolean => {
    if (name === 'site') return add(isNot ? found.otherSites : found.sites, hostIn(value))
    if (isNot) return false
    if (name === 'path') return add(found.paths, value.startsWith('/') ? value : `/${value}`)
    if (name === 'lang') return add(found.languages, /^[a-z]{2,3}$/i.exec(value)?.[0].toLowerCase())
    const day = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN
    if (Number.isNaN(day)) return false
    if (name === 'after') after = day
    else before = day
    return true
  }
  const words = typed.replaceAll(pattern, (all: string, minus: string, name: string, value: string) =>
    take(minus === '-', name.toLowerCase(), value) ? ' ' : all,
  )
  return { words: words.trim(), filters: { ...found, after, before } }
}

function hostIn(text: string): string | undefined {
  return /^[\p{L}\d.-]+$/u.test(text) ? URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') : undefined
}

/** Returns the path without percent-encoding, or unchanged if it is not valid. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns whether there is no filter. */
export function isUnfiltered({ sites, otherSites, paths, languages, after, before }: Filters): boolean {
  const count = sites.length + otherSites.length + paths.length + languages.length
  return count === 0 && after === undefined && before === undefined
}
