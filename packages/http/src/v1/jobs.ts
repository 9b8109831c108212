// Translates between the words of version 1 and those of the engine, for many pages: pure functions.
import type { z } from 'zod'

import type { v1BatchSchema, v1CrawlSchema, v1MapSchema, v1SearchSchema } from './job-schemas.ts'
import { refusal, toCore } from './translate.ts'

type Fields = Readonly<Record<string, unknown>>

const defaultDepth = 10

/** Says in the words of the engine what a crawl of version 1 asks for. */
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

/** Counts the segments of a path; the name of an index page is none. */
function pathDepth(url: string): number {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '')
  return segments.filter((segment) => !/^index\.(?:html|php)$/.test(segment)).length
}

export function batchToCore(request: z.output<ReturnType<typeof v1BatchSchema>>): Fields {
  return toCore(request as Parameters<typeof toCore>[0])
}

export function mapToCore(request: z.output<ReturnType<typeof v1MapSchema>>): Fields {
  const { ignoreSitemap, sitemapOnly, ...rest } = request
  if (sitemapOnly === true) return { ...rest, sitemap: 'only' }
  return { ...rest, ...(ignoreSitemap !== undefined && { sitemap: ignoreSitemap ? 'skip' : 'include' }) }
}

const defaultResults = 5

export function searchToCore(request: z.output<ReturnType<typeof v1SearchSchema>>): Fields {
  const { limit = defaultResults, scrapeOptions, ...rest } = request
  return { ...rest, limit, ...(scrapeOptions && { scrapeOptions: toCore(scrapeOptions) }) }
}

/** Says in the words of version 1 what a crawl of the engine was asked for. */
export function optionsFromCore(request: Fields): Fields {
  const { sitemap, maxPathDepth, robotsUserAgent: _, scrapeOptions, ...rest } = request
  return {
    ...rest,
    ...(maxPathDepth !== undefined && { maxDepth: maxPathDepth }),
    allowBackwardLinks: rest['crawlEntireDomain'] === true,
    ignoreSitemap: sitemap === 'skip',
    scrapeOptions: pageOptions(scrapeOptions as Fields | undefined),
  }
}

function pageOptions(options: Fields = {}): Fields {
  const { formats, parsers, ...rest } = options
  const words = (formats as readonly Fields[] | undefined)?.map(wordOf)
  const readsPdf = (parsers as readonly Fields[] | undefined)?.some(({ type }) => type === 'pdf')
  return { ...rest, ...(words && { formats: words }), ...(readsPdf !== undefined && { parsePDF: readsPdf }) }
}

function wordOf({ type, fullPage }: Fields): unknown {
  return type === 'screenshot' && fullPage === true ? 'screenshot@fullPage' : type
}
