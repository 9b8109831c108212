import { z } from 'zod'

import { deepFreeze } from '../lib/deep-freeze.ts'
import { compilePatterns, isPatternProblem, mostPatterns } from '../lib/patterns.ts'
import { webUrl, type ScrapeRequest } from './scrape.ts'
import { webhookSchema, type Webhook } from './webhook.ts'

/** Regular expressions that can be used; the first that cannot is named. */
const patterns = z
  .array(z.string())
  .max(mostPatterns)
  .default([])
  .superRefine((sources, context) => {
    const compiled = compilePatterns(sources)
    if (!isPatternProblem(compiled)) return
    const path = compiled.index === undefined ? [] : [compiled.index]
    context.addIssue({ code: 'custom', path, message: compiled.problem })
  })

/** A name that can be sent in a header and looked for in robots.txt. */
const robotName = z
  .string()
  .max(256)
  .refine((name) => /^[ -~]*$/.test(name) && /[\w-]/.test(name), {
    message: 'must be a name of plain letters, such as MyCrawler or MyCrawler/1.0',
  })

/** The options of a page in a crawl: those of a scrape, without its address. */
export type PageRequest = Omit<ScrapeRequest, 'url'>

/** The options of a crawl, without those of its pages: they depend on the plugins of an engine. */
export const crawlOptions = {
  url: webUrl,
  includePaths: patterns,
  excludePaths: patterns,
  regexOnFullURL: z.boolean().default(false),
  /** Hops from the start; it and the addresses of sitemaps are at 0. */
  maxDiscoveryDepth: z.int().min(0).optional(),
  /** Segments of the path beyond those of the start. Not a word of the second version; the first calls it `maxDepth`. */
  maxPathDepth: z.int().min(0).optional(),
  sitemap: z.enum(['skip', 'include', 'only']).default('include'),
  ignoreQueryParameters: z.boolean().default(false),
  deduplicateSimilarURLs: z.boolean().default(true),
  limit: z.int().min(1).default(10_000),
  crawlEntireDomain: z.boolean().default(false),
  allowExternalLinks: z.boolean().default(false),
  allowSubdomains: z.boolean().default(false),
  ignoreRobotsTxt: z.boolean().default(false),
  robotsUserAgent: robotName.optional(),
  /** Seconds, as everywhere in the public API; who sleeps them makes them milliseconds. */
  delay: z.number().gt(0).max(60).optional(),
  maxConcurrency: z.int().min(1).optional(),
  /** The crawl ends before it would cost more. */
  maxCredits: z.int().min(1).optional(),
  webhook: webhookSchema.optional(),
  zeroDataRetention: z.boolean().default(false),
}

/** A crawl request of one engine: what a page may ask for depends on its plugins. */
export function crawlSchema<Options extends z.ZodType<PageRequest>>(scrapeOptions: Options) {
  return z
    .strictObject({ ...crawlOptions, scrapeOptions: scrapeOptions.prefault({} as never) })
    .transform((request) => deepFreeze(request) as CrawlRequest)
}

export type CrawlSchema = ReturnType<typeof crawlSchema>

/** A crawl request after the schema: checked, every default filled in, frozen. */
export interface CrawlRequest {
  readonly url: string
  readonly includePaths: readonly string[]
  readonly excludePaths: readonly string[]
  readonly regexOnFullURL: boolean
  readonly maxDiscoveryDepth?: number | undefined
  readonly maxPathDepth?: number | undefined
  readonly sitemap: 'skip' | 'include' | 'only'
  readonly ignoreQueryParameters: boolean
  readonly deduplicateSimilarURLs: boolean
  readonly limit: number
  readonly crawlEntireDomain: boolean
  readonly allowExternalLinks: boolean
  readonly allowSubdomains: boolean
  readonly ignoreRobotsTxt: boolean
  readonly robotsUserAgent?: string | undefined
  readonly delay?: number | undefined
  readonly maxConcurrency?: number | undefined
  readonly maxCredits?: number | undefined
  readonly webhook?: Webhook | undefined
  readonly scrapeOptions: PageRequest
  readonly zeroDataRetention: boolean
}
