// Converts requests for many pages between version 1 and the engine. Pure functions.
import type { z } from 'zod'

import type { v1BatchSchema, v1CrawlSchema, v1MapSchema, v1SearchSchema } from './job-schemas.ts'
import { withoutNewOptions } from './schema.ts'
import { refusal, toCore } from './translate.ts'

type Fields = Readonly<Record<string, unknown>>

const defaultDepth = 10

/**
 * Converts a version 1 crawl request to the engine's options. Throws `invalid_request` if the URL is deeper than `maxDepth`
 * (default 10), or if the extraction options contradict each other or the formats.
 */
export function crawlToCore(request: z.output<ReturnType<typeof v1CrawlSchema>>): Fields {
  const { maxDepth = defaultDepth, allowBackwardLinks, ignoreSitemap, scrapeOptions, ...rest } = request
  const crawlEntireDomain = rest.crawlEntireDomain ?? allowBackwardLinks
  if (pathDepth(rest.url) > maxDepth) throw refusal('url', 'URL depth exceeds the specified maxDepth')
  return {
    ...rest,
    maxPathDepth: maxDepth,
    ...(crawlEntireDomain !== undefined && { crawlEntireDomain }),
    ...(ignoreSitemap !== undefined && { sitemap: ignoreSitemap ? 'skip' : 'include' }),
    ...(scrapeOptions && { scrapeOptions: toCore(scrapeOptions) }),
  }
}

/** Counts the path segments of a URL, without an index page. */
function pathDepth(url: string): number {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '')
  return segments.filter((segment) => !/^index\.(?:html|php)$/.test(segment)).length
}

/**
 * Converts a version 1 batch request to the engine's options. Throws `invalid_request` if the extraction options contradict
 * each other or the formats.
 */
export function batchToCore(request: z.output<ReturnType<typeof v1BatchSchema>>): Fields {
  return toCore(request as Parameters<typeof toCore>[0])
}

/** Converts a version 1 map request to the engine's options. `sitemapOnly` has precedence over `ignoreSitemap`. */
export function mapToCore(request: z.output<ReturnType<typeof v1MapSchema>>): Fields {
  const { ignoreSitemap, sitemapOnly, ...rest } = request
  if (sitemapOnly === true) return { ...rest, sitemap: 'only' }
  return { ...rest, ...(ignoreSitemap !== undefined && { sitemap: ignoreSitemap ? 'skip' : 'include' }) }
}

const defaultResults = 5

/**
 * Converts a version 1 search request to the engine's options, with the default limit of version 1, which is 5. Throws
 * `invalid_request` if the extraction options contradict each other or the formats.
 */
export function searchToCore(request: z.output<ReturnType<typeof v1SearchSchema>>): Fields {
  const { limit = defaultResults, scrapeOptions, ...rest } = request
  return { ...rest, limit, ...(scrapeOptions && { scrapeOptions: toCore(scrapeOptions) }) }
}

/** Converts the engine's crawl options to version 1. Options that version 1 does not have are omitted. */
export function optionsFromCore(request: Fields): Fields {
  const { sitemap, maxPathDepth, robotsUserAgent: _, scrapeOptions, ...rest } = request
  return {
    ...withoutNewOptions(rest),
    ...(maxPathDepth !== undefined && { maxDepth: maxPathDepth }),
    allowBackwardLinks: rest['crawlEntireDomain'] === true,
    ignoreSitemap: sitemap === 'skip',
    scrapeOptions: pageOptions(scrapeOptions as Fields | undefined),
  }
}

function pageOptions(options: Fields = {}): Fields {
  const { formats, parsers, ...rest } = withoutNewOptions(options)
  const words = (formats as readonly Fields[] | undefined)?.flatMap(wordsOf)
  const readsPdf = (parsers as readonly Fields[] | undefined)?.some(({ type }) => type === 'pdf')
  return { ...rest, ...(words && { formats: words }), ...(readsPdf !== undefined && { parsePDF: readsPdf }) }
}

function wordsOf({ type, fullPage, as }: Fields): readonly unknown[] {
  if (type === 'json' && Array.isArray(as)) return as
  return [type === 'screenshot' && fullPage === true ? 'screenshot@fullPage' : type]
}
