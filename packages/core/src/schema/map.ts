import { z } from 'zod'

import { lazily } from '../lib/lazily.ts'
import { sitemapUse } from './job-options.ts'
import { profileOption } from './profile.ts'
import { record } from './record.ts'
import { threatProtection } from './threat-protection.ts'
import { headers, location, defaultLocation, webUrl } from './scrape.ts'

/** Maximum number of links that one map returns. */
const maxMapLinks = 100_000

// Options of the public API that have no effect on a map. They are accepted so that existing clients work; some lead to a
// warning.
const ignored = {
  description: 'Accepted from clients of the public API. Has no effect.',
  deprecated: true,
}
const withoutMeaning = () => {
  const flag = z.boolean().meta(ignored).optional()
  const paths = z.array(z.string()).max(1_000).meta(ignored).optional()
  return {
    useIndex: flag,
    allowExternalLinks: flag,
    allowSubdomains: flag,
    includePaths: paths,
    excludePaths: paths,
    regexOnFullURL: flag,
    crawlEntireDomain: flag,
    deduplicateSimilarURLs: flag,
  }
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

/** Options of a map. */
export const mapOptions = lazily(() => ({
  url: webUrl.meta({ title: 'Address', description: 'A page of the site.', group: 'Which pages', order: 0 }),
  search: z
    .string()
    .max(1_000)
    .meta({
      title: 'Search',
      description: 'Sorts the links by relevance to these keywords.',
      group: 'Which pages',
    })
    .optional(),
  sitemap: sitemapUse,
  includeSubdomains: z
    .boolean()
    .meta({
      title: 'Subdomains',
      description: 'Includes links to other hosts of the same registrable domain.',
      group: 'Which pages',
    })
    .default(true),
  ignoreQueryParameters: z
    .boolean()
    .meta({
      title: 'Without queries',
      description: 'Removes the query from every link.',
      group: 'Which pages',
    })
    .default(true),
  ignoreCache: z
    .boolean()
    .meta({
      title: 'Fresh sitemaps',
      description: 'Loads sitemaps again, instead of using cached ones (kept for seven days).',
      group: 'Cache and privacy',
    })
    .default(false),
  limit: z
    .int()
    .min(1)
    .max(maxMapLinks)
    .meta({ title: 'Links', description: 'Maximum number of links to return.', group: 'Which pages', order: 1 })
    .default(5_000),
  timeout: z
    .int()
    .min(1)
    .max(3_600_000)
    .meta({
      title: 'Timeout',
      description: 'The time limit of the map. Default: none.',
      unit: 'ms',
      group: 'Network',
    })
    .optional(),
  location: location.default(defaultLocation),
  headers: headers.default({}),
  profile: profileOption,
  filterByPath: z
    .boolean()
    .meta({
      title: 'Only below the address',
      description: 'If the URL has a path, returns only links whose path starts with it.',
      group: 'Which pages',
    })
    .default(true),
  threatProtection,
  record,
}))

/** Schema of map requests. */
export const mapSchema = lazily(() =>
  z.strictObject({ ...mapOptions(), ...withoutMeaning() }).transform(({ url, search, timeout, ...options }) => ({
    url,
    search: search?.trim() ? search.trim() : undefined,
    timeout,
    sitemap: options.sitemap,
    includeSubdomains: options.includeSubdomains,
    ignoreQueryParameters: options.ignoreQueryParameters,
    ignoreCache: options.ignoreCache || options.record === true,
    ...(options.record !== undefined && { record: options.record }),
    limit: options.limit,
    location: options.location,
    headers: options.headers,
    ...(options.profile && { profile: options.profile }),
    filterByPath: options.filterByPath,
    ...(options.threatProtection && { threatProtection: options.threatProtection }),
    /** Names of options that were set but have no effect. */
    withoutEffect: withoutEffect.filter((name) => asksForSomething(options[name])),
  })),
)

/** A parsed map request, with defaults filled in. */
export type MapRequest = Readonly<z.output<ReturnType<typeof mapSchema>>>
