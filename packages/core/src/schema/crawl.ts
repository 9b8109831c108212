import { z } from 'zod'

import { deepFreeze } from '@harvestman/ports/values'
import { compilePatterns, isPatternProblem, maxPatterns } from '@harvestman/json-schema'
import { lazily } from '../lib/lazily.ts'
import { maxConcurrency, maxCredits, sitemapUse } from './job-options.ts'
import { crawlPrompt } from './crawl-plan.ts'
import { record } from './record.ts'
import { webUrl, type RequestedPart, type ScrapeRequest } from './scrape.ts'
import { webhookSchema, type Webhook } from './webhook.ts'

/** Valid regular expressions. The error names the first invalid one. */
const patterns = z
  .array(z.string())
  .max(maxPatterns)
  .superRefine((sources, context) => {
    const compiled = compilePatterns(sources)
    if (!isPatternProblem(compiled)) return
    const path = compiled.index === undefined ? [] : [compiled.index]
    context.addIssue({ code: 'custom', path, message: compiled.problem })
  })

/** A robot name that can be sent in a header and matched in robots.txt. */
const robotName = z
  .string()
  .max(256)
  .refine((name) => /^[ -~]*$/.test(name) && /[\w-]/.test(name), {
    message: 'must be a name of plain letters, such as MyCrawler or MyCrawler/1.0',
  })

/** Options of each page in a crawl: scrape options without the URL. */
export type PageRequest = Omit<ScrapeRequest, 'url'>

/** Options of a crawl without its page options, which depend on the engine's plugins. */
export const crawlOptions = lazily(() => ({
  url: webUrl.meta({ title: 'Address', description: 'The start URL.', group: 'Which pages', order: 0 }),
  includePaths: patterns
    .meta({
      title: 'Only these paths',
      description: 'Regular expressions (RE2). Only pages whose path matches one of them are visited.',
      group: 'Which pages',
    })
    .default([]),
  excludePaths: patterns
    .meta({
      title: 'Without these paths',
      description: 'Regular expressions (RE2). Pages whose path matches one of them are skipped.',
      group: 'Which pages',
    })
    .default([]),
  regexOnFullURL: z
    .boolean()
    .meta({
      title: 'Match the whole address',
      description: 'Matches the expressions against the whole URL instead of the path.',
      group: 'Which pages',
    })
    .default(false),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .meta({
      title: 'Depth by links',
      description: 'Maximum number of links from the start URL. The start URL and URLs from sitemaps have depth 0.',
      group: 'Which pages',
    })
    .optional(),
  // Not an option of version 2 of the public API. Version 1 calls it `maxDepth`.
  maxPathDepth: z
    .int()
    .min(0)
    .meta({
      title: 'Depth of paths',
      description: 'Maximum number of path segments beyond those of the start URL.',
      group: 'Which pages',
    })
    .optional(),
  sitemap: sitemapUse,
  ignoreQueryParameters: z
    .boolean()
    .meta({
      title: 'Ignore queries',
      description: 'Treats URLs that differ only in their query as one page.',
      group: 'Which pages',
    })
    .default(false),
  deduplicateSimilarURLs: z
    .boolean()
    .meta({
      title: 'Skip similar addresses',
      description: 'Treats URLs with and without `www` or `index.html` as one page.',
      group: 'Which pages',
    })
    .default(true),
  limit: z
    .int()
    .min(1)
    .meta({ title: 'Pages', description: 'Maximum number of pages to visit.', group: 'Which pages', order: 1 })
    .default(10_000),
  crawlEntireDomain: z
    .boolean()
    .meta({
      title: 'The whole site',
      description: 'Also visits pages outside the path of the start URL.',
      group: 'Which pages',
    })
    .default(false),
  allowExternalLinks: z
    .boolean()
    .meta({ title: 'Other sites', description: 'Also follows links to other sites.', group: 'Which pages' })
    .default(false),
  allowSubdomains: z
    .boolean()
    .meta({
      title: 'Subdomains',
      description: 'Also follows links to subdomains of the start URL.',
      group: 'Which pages',
    })
    .default(false),
  ignoreRobotsTxt: z
    .boolean()
    .meta({
      title: 'Ignore robots.txt',
      description: 'Visits pages that robots.txt disallows, and ignores its delay.',
      group: 'Manners',
    })
    .default(false),
  robotsUserAgent: robotName
    .meta({
      title: 'Name for robots.txt',
      description: 'The user agent to look up in robots.txt. Default: that of the engine.',
      group: 'Manners',
    })
    .optional(),
  // In seconds, as in the public API; converted to milliseconds where it is used.
  delay: z
    .number()
    .gt(0)
    .max(60)
    .meta({
      title: 'Delay',
      description: 'The pause between two pages of a host.',
      unit: 's',
      group: 'Manners',
    })
    .optional(),
  since: z
    .string()
    .min(1)
    .max(100)
    .meta({
      title: 'Changed since',
      description:
        'The id of an earlier job, or a time. The result of each page tells whether it has changed since then. Unchanged pages are not loaded if their host reports changes reliably.',
      group: 'Cache and privacy',
    })
    .optional(),
  maxConcurrency,
  maxCredits,
  webhook: webhookSchema.optional(),
  zeroDataRetention: z
    .boolean()
    .meta({
      title: 'Keep nothing',
      description: 'Deletes the pages when the job has ended and its results have been read.',
      group: 'Cache and privacy',
    })
    .default(false),
  record,
  prompt: crawlPrompt
    .meta({
      title: 'In words',
      description:
        'What to crawl, in plain language. A model turns it into options. Options that you set take precedence.',
      group: 'Which pages',
    })
    .optional(),
}))

/** Parts of a format that `since` needs. */
interface ComparingFormat {
  readonly type: string
  readonly options: z.ZodObject
  since?(since: string): object
}

/**
 * Builds the schema of an engine's crawl requests. `scrapeOptions` depends on its plugins. The option `since` is invalid unless
 * one of the formats compares pages.
 */
export function crawlSchema<Options extends z.ZodType<PageRequest>>(
  scrapeOptions: Options,
  formats: readonly ComparingFormat[],
) {
  return z
    .strictObject({
      ...crawlOptions(),
      scrapeOptions: scrapeOptions
        .meta({
          title: 'Options of each page',
          description: 'The scrape options of each page, without `url`.',
          group: 'Content',
        })
        .prefault({} as z.input<Options>),
    })
    .transform((request, context) => {
      const { since, scrapeOptions } = request
      const format = since === undefined ? undefined : comparing(since, { ...request, formats })
      if (typeof format === 'string') context.addIssue({ code: 'custom', path: ['since'], message: format })
      const pages = typeof format === 'object' ? withFormat(scrapeOptions, format) : scrapeOptions
      return deepFreeze(withPrivatePages({ ...request, scrapeOptions: pages })) as CrawlRequest
    })
}

/** Returns the format that compares pages with their earlier version, or an error message if there is none. */
function comparing(
  since: string,
  { zeroDataRetention, formats }: { readonly zeroDataRetention: boolean; readonly formats: readonly ComparingFormat[] },
): RequestedPart | string {
  if (zeroDataRetention) return 'cannot be used with zeroDataRetention: nothing is kept to compare with'
  const format = formats.find((one) => one.since)
  if (!format?.since) return 'needs a plugin that compares crawls, such as recrawl() of @harvestman/recrawl'
  const read = format.options.safeParse(format.since(since))
  return read.success ? { ...read.data, type: format.type } : (read.error.issues[0]?.message ?? 'is wrong')
}

function withFormat(page: PageRequest, format: RequestedPart): PageRequest {
  const requested = page.formats.find(({ type }) => type === format.type)
  return { ...page, formats: [...page.formats.filter((one) => one !== requested), { ...requested, ...format }] }
}

/** Copies `zeroDataRetention` of the job to the options of its pages. */
function withPrivatePages<Request extends { readonly zeroDataRetention: boolean; readonly scrapeOptions: PageRequest }>(
  request: Request,
): Request {
  if (!request.zeroDataRetention) return request
  return { ...request, scrapeOptions: { ...request.scrapeOptions, zeroDataRetention: true } }
}

/** A parsed crawl request: validated, with defaults filled in, frozen. */
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
  readonly since?: string | undefined
  readonly record?: boolean | undefined
  readonly prompt?: string | undefined
}
