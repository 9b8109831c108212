import { z } from 'zod'

import type { Schemas } from '../route/engine.ts'
import { fieldsOf } from '../request/fields.ts'
import { v1ScrapeSchema, withoutDefault, mapValues } from './schema.ts'

/** The page options of version 1 jobs: the options of a version 1 scrape, without the URL. */
const pageSchema = ({ scrape }: Schemas) => v1ScrapeSchema(scrape).omit({ url: true })

/**
 * Returns the crawl request schema of version 1: the engine's options, except for options that had another name or did not
 * exist then.
 */
export function v1CrawlSchema(schemas: Schemas) {
  const {
    sitemap: _,
    maxPathDepth,
    robotsUserAgent: __,
    scrapeOptions: ___,
    prompt: ____,
    ...options
  } = fieldsOf(schemas.crawl)
  return z.strictObject({
    ...mapValues(options, withoutDefault),
    maxDepth: maxPathDepth!.describe(
      'Maximum number of path segments beyond those of the start URL. Default: 10.',
    ) as Natural,
    allowBackwardLinks: z
      .boolean()
      .optional()
      .describe('The former name of crawlEntireDomain, which takes precedence.'),
    crawlEntireDomain: z.boolean().optional(),
    ignoreSitemap: z.boolean().optional(),
    url: options['url'] as z.ZodType<string>,
    scrapeOptions: pageSchema(schemas).optional(),
  })
}

type Natural = z.ZodOptional<z.ZodNumber>

/** Returns the batch request schema of version 1: a version 1 scrape of many URLs. */
export function v1BatchSchema(schemas: Schemas) {
  const known = fieldsOf(schemas.scrape)
  const own = Object.entries(fieldsOf(schemas.batch)).filter(([key]) => !(key in known))
  return pageSchema(schemas).extend(mapValues(Object.fromEntries(own), withoutDefault))
}

/**
 * Returns the map request schema of version 1, without defaults. Its output still has the names of version 1; `mapToCore`
 * converts it.
 */
export function v1MapSchema({ map }: Schemas) {
  const { sitemap: _, threatProtection: __, ...options } = fieldsOf(map)
  return z.strictObject({
    ...mapValues(options, withoutDefault),
    ignoreSitemap: z.boolean().optional(),
    sitemapOnly: z.boolean().optional().describe('Only URLs from sitemaps. Takes precedence over ignoreSitemap.'),
  })
}

/** Returns the search request schema of version 1, which has no sources and no domain filters. */
export function v1SearchSchema(schemas: Schemas) {
  const { query, limit, tbs, filter, lang, country, location, timeout, ignoreInvalidURLs } = fieldsOf(schemas.search)
  return z.strictObject({
    query: query as z.ZodType<string>,
    ...mapValues(
      {
        limit: limit!,
        tbs: tbs!,
        filter: filter!,
        lang: lang!,
        country: country!,
        location: location!,
        timeout: timeout!,
      },
      withoutDefault,
    ),
    limit: (withoutDefault(limit!) as z.ZodOptional<z.ZodNumber>).describe('Maximum number of results. Default: 5.'),
    ignoreInvalidURLs: withoutDefault(ignoreInvalidURLs!),
    scrapeOptions: pageSchema(schemas).optional(),
  })
}
