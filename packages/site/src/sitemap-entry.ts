/** One entry of a sitemap: a page, or a further sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  /** As it is written there. */
  readonly url: string
  readonly title: string | undefined
  /** When it was last changed, by the sitemap; milliseconds since 1970. Of a day, its end. */
  readonly changedAt?: number | undefined
}

export interface ScanOptions {
  readonly entry: (entry: SitemapEntry) => void
  /** How many entries are taken. */
  readonly most: number
}

/** One of the ways to read. */
export interface Scan {
  feed(bytes: Buffer): boolean
  /** Returns whether the file was complete. One that is no sitemap counts as complete. */
  end(): boolean
}

/** The moment by which a date of a sitemap or a feed is over: nothing for what is no date. */
export function momentOf(date: string): number | undefined {
  const text = date.trim()
  const isDate = /^(?:\d{4}-\d\d-\d\d|(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} )/i.test(text)
  if (!isDate || text.length > 40) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  return text.length === 10 ? at + 86_399_999 : at
}

/** No browser takes a longer one. */
export const longestAddress = 8_192
