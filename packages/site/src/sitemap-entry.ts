/** One entry of a sitemap: a page, or a further sitemap. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  /** As it is written there. */
  readonly url: string
  readonly title: string | undefined
}

export interface ScanOptions {
  readonly entry: (entry: SitemapEntry) => void
  /** How many entries are taken. */
  readonly most: number
}

/** One of the ways to read. */
export interface Scan {
  feed(bytes: Buffer): boolean
  end(): void
}

/** No browser takes a longer one. */
export const longestAddress = 8_192
