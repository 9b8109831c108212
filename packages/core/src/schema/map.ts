import { z } from 'zod'

import { headers, location, webUrl } from './scrape.ts'

/** The most links that one map gives. */
export const mostMapLinks = 100_000

// What the public service takes as well, without a meaning here. A client that sends it is not refused, but told.
const withoutMeaning = {
  useIndex: z.boolean().optional(),
  allowExternalLinks: z.boolean().optional(),
  allowSubdomains: z.boolean().optional(),
  includePaths: z.array(z.string()).max(1_000).optional(),
  excludePaths: z.array(z.string()).max(1_000).optional(),
  regexOnFullURL: z.boolean().optional(),
  crawlEntireDomain: z.boolean().optional(),
  deduplicateSimilarURLs: z.boolean().optional(),
}

const withoutEffect = [
  'allowExternalLinks',
  'includePaths',
  'excludePaths',
  'regexOnFullURL',
  'crawlEntireDomain',
] as const

function asksForSomething(value: boolean | readonly string[] | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value === true
}

/** What a map can be asked for. */
export const mapOptions = {
  url: webUrl,
  search: z.string().max(1_000).optional().describe('Orders the links by how well they fit these words.'),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .default('include')
    .describe('Whether sitemaps are left out, used together with the links of pages, or used alone.'),
  includeSubdomains: z.boolean().default(true).describe('Also links of other hosts of the same registrable domain.'),
  ignoreQueryParameters: z.boolean().default(true).describe('Cuts the query off, so that no link has one.'),
  ignoreCache: z.boolean().default(false).describe('Reads sitemaps anew, which are otherwise kept for seven days.'),
  limit: z.int().min(1).max(mostMapLinks).default(5_000).describe('The most links that are given.'),
  timeout: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Milliseconds; without it there is no end but the bounds.'),
  location: location.default(location.parse({})),
  headers: headers.default({}).describe('Sent to the host of the URL.'),
  filterByPath: z.boolean().default(true).describe('When the URL has a path: only links whose path begins with it.'),
}

export const mapSchema = z
  .strictObject({ ...mapOptions, ...withoutMeaning })
  .transform(({ url, search, timeout, ...options }) => ({
    url,
    search: search?.trim() ? search.trim() : undefined,
    timeout,
    sitemap: options.sitemap,
    includeSubdomains: options.includeSubdomains,
    ignoreQueryParameters: options.ignoreQueryParameters,
    ignoreCache: options.ignoreCache,
    limit: options.limit,
    location: options.location,
    headers: options.headers,
    filterByPath: options.filterByPath,
    /** Options that were given and change nothing. */
    withoutEffect: withoutEffect.filter((name) => asksForSomething(options[name])),
  }))

/** A request after the schema: every default is filled in. */
export type MapRequest = Readonly<z.output<typeof mapSchema>>

export const mapLinkSchema = z.object({
  url: z.string(),
  title: z.string().optional().describe('As the page says it, or those that link to it.'),
  description: z.string().optional(),
})
