/** An entry of a sitemap: a page, or another sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  /** Unchanged, as in the sitemap. */
  readonly url: string
  readonly title: string | undefined
  /** Last modification according to the sitemap, in milliseconds since 1970. For a date without time, the end of the day. */
  readonly changedAt?: number | undefined
}

export interface ScanOptions {
  readonly entry: (entry: SitemapEntry) => void
  /** Maximum number of entries. */
  readonly most: number
}

/** A reader for one of the formats. */
export interface Scan {
  feed(bytes: Buffer): boolean
  /** Returns whether the file was complete. A file that is not a sitemap counts as complete. */
  end(): boolean
}

/**
 * Parses a date of a sitemap or a feed. Returns milliseconds since 1970, for a date without time the end of the day;
 * `undefined` if it is not a date.
 */
export function parseDate(date: string): number | undefined {
  const text = date.trim()
  const isDate = /^(?:\d{4}-\d\d-\d\d|(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} )/i.test(text)
  if (!isDate || text.length > 40) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  return text.length === 10 ? at + 86_399_999 : at
}

/** Maximum length of a URL. Browsers do not accept longer ones. */
export const maxUrlLength = 8_192
