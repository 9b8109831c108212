import { EngineError } from '@harvestman/ports'

import { follow, type Followed, type JobFlags } from './follow.ts'
import { pageOptions, parseOptions, type PageFlags } from './page-options.ts'
import type { Shell } from './shell.ts'
import { numberOr } from './numbers.ts'

export interface CrawlFlags extends PageFlags, JobFlags {
  readonly limit?: string
  readonly includePaths?: readonly string[]
  readonly excludePaths?: readonly string[]
  readonly depth?: string
  readonly sitemap?: string
  readonly entireDomain?: boolean
  readonly subdomains?: boolean
  readonly external?: boolean
  readonly ignoreRobots?: boolean
  readonly concurrency?: string
  readonly delay?: string
  readonly options?: string
}

/**
 * Crawls a site and prints its pages as they finish. With `--resume` it continues a stored crawl. Resolves to the exit code,
 * also if the crawl fails. Rejects with `invalid_request` for invalid flags, and if the crawl cannot be started or found.
 */
export async function crawl(url: string | undefined, flags: CrawlFlags, shell: Shell): Promise<number> {
  checkTarget('crawl', url === undefined ? 0 : 1, flags)
  const followed: Followed = {
    name: 'crawl',
    request: () => toCrawl(url ?? '', flags),
    start: (client, request) => client.crawl(request),
    explain: (client, id) => client.findCrawl(id).explain(),
  }
  return follow(followed, flags, shell)
}

/** Throws `invalid_request` unless exactly one of URL and `--resume` is given. */
export function checkTarget(name: string, urls: number, { resume }: JobFlags): void {
  if (urls > 0 === (resume === undefined)) return
  const what = urls > 0 ? `--resume continues a stored ${name}. Omit the URL.` : 'Pass a URL, or --resume <id>.'
  throw new EngineError('invalid_request', what)
}

/**
 * Returns the engine's crawl request. Options without a flag are absent. Throws `invalid_request` if a flag or `--options` is
 * invalid.
 */
export function toCrawl(url: string, flags: CrawlFlags): object {
  const { scrapeOptions, ...options } = parseOptions(flags.options)
  return {
    url,
    ...(flags.limit !== undefined && { limit: numberOr(flags.limit) }),
    ...(flags.includePaths && { includePaths: flags.includePaths }),
    ...(flags.excludePaths && { excludePaths: flags.excludePaths }),
    ...(flags.depth !== undefined && { maxDiscoveryDepth: numberOr(flags.depth) }),
    ...(flags.sitemap !== undefined && { sitemap: flags.sitemap }),
    ...(flags.entireDomain && { crawlEntireDomain: true }),
    ...(flags.subdomains && { allowSubdomains: true }),
    ...(flags.external && { allowExternalLinks: true }),
    ...(flags.ignoreRobots && { ignoreRobotsTxt: true }),
    ...(flags.concurrency !== undefined && { maxConcurrency: numberOr(flags.concurrency) }),
    ...(flags.delay !== undefined && { delay: numberOr(flags.delay) }),
    ...options,
    scrapeOptions: { ...pageOptions(flags), ...(scrapeOptions as object | undefined) },
  }
}
