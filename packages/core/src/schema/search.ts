import { z } from 'zod'

import { deepFreeze } from '@harvestman/ports/values'
import { lazily } from '../lib/lazily.ts'
import type { PageRequest } from './crawl.ts'
import { record } from './record.ts'
import { threatProtection } from './threat-protection.ts'

const sourceTypes = ['web', 'news', 'images'] as const
const categoryTypes = ['github', 'research', 'pdf', 'developer', 'gov'] as const

// Options of the public API that have no effect here. They are accepted so that existing clients work.
const ignored = {
  description: 'Accepted from clients of the public API. Has no effect.',
  deprecated: true,
}

const withoutMeaning = lazily(() => ({
  filter: z
    .string()
    .max(100)
    .meta({ title: 'Filter', ...ignored })
    .optional(),
  highlights: z
    .boolean()
    .meta({ title: 'Highlights', ...ignored })
    .optional(),
}))

// A catalogue of the vendor of the public API. It is accepted as a source, but has no results here.
const vendorSource = 'alexandria'

/** Options of a search without its page options, which depend on the engine's plugins. */
export const searchOptions = lazily(() => {
  const tbs = z.string().max(200).meta({
    title: 'Time',
    description:
      'When the page was published: `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m` or `qdr:y` for the last hour, day, week, month or year, or `cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. `sbd:1` sorts by date, newest first.',
    group: 'Which pages',
  })

  const country = z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be a country in two letters, such as US')
    .transform((text) => text.toUpperCase())
    .meta({ title: 'Country', description: 'The country to search from, as a two-letter code.', group: 'Place' })

  const lang = z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z]{2})?$/i, 'must be a language, such as en')
    .transform((text) => text.toLowerCase().slice(0, text.indexOf('-') > 0 ? text.indexOf('-') : undefined))
    .meta({ title: 'Language', description: 'The language of the pages.', group: 'Place' })

  const location = z
    .string()
    .max(200)
    .meta({ title: 'Location', description: 'The place to search from, such as `Berlin, Germany`.', group: 'Place' })

  const domain = z
    .string()
    .max(253)
    .transform((text) => text.trim().toLowerCase().replace(/\.$/, ''))
    .refine((text) => /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+[\p{L}\d-]{2,}$/u.test(text), {
      message: 'must be a domain without scheme or path, such as example.com',
    })
    .transform((text) => URL.parse(`http://${text}`)?.hostname ?? text)

  const ofVendor = z
    .union([z.literal(vendorSource), z.strictObject({ type: z.literal(vendorSource) })])
    .transform(() => ({ type: vendorSource }) as const)

  const source = z.union([
    ofVendor,
    z.enum(sourceTypes).transform((type) => ({ type })),
    z.strictObject({
      type: z.enum(sourceTypes),
      tbs: tbs.optional(),
      country: country.optional(),
      lang: lang.optional(),
      location: location.optional(),
      filter: withoutMeaning().filter,
    }),
  ])

  const category = z.union([
    z.enum(categoryTypes),
    z.strictObject({ type: z.enum(categoryTypes) }).transform(({ type }) => type),
  ])

  return {
    query: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .meta({ title: 'Query', description: 'The search query.', group: 'Which pages', order: 0 }),
    limit: z
      .int()
      .min(1)
      .max(100)
      .meta({
        title: 'Results',
        description: 'Maximum number of results of each source.',
        group: 'Which pages',
        order: 1,
      })
      .default(10),
    sources: z
      .array(source)
      .min(1)
      .max(sourceTypes.length + 1)
      .meta({
        title: 'Sources',
        description: 'The kinds of results: names, or objects with the name as `type` and more options.',
        defaultText: '`["web"]`',
        group: 'Which pages',
      })
      .default([{ type: 'web' }]),
    categories: z
      .array(category)
      .max(categoryTypes.length)
      .meta({ title: 'Categories', description: 'Only results in these categories.', group: 'Which pages' })
      .default([]),
    includeDomains: z
      .array(domain)
      .max(100)
      .meta({
        title: 'Only these domains',
        description: 'Only results from these domains and their subdomains.',
        group: 'Which pages',
      })
      .default([]),
    excludeDomains: z
      .array(domain)
      .max(100)
      .meta({
        title: 'Without these domains',
        description: 'No results from these domains and their subdomains.',
        group: 'Which pages',
      })
      .default([]),
    maxPerHost: z
      .int()
      .min(1)
      .max(100)
      .meta({
        title: 'Results of a host',
        description: 'Maximum number of results of each host.',
        group: 'Which pages',
      })
      .optional(),
    removeDuplicates: z
      .boolean()
      .meta({
        title: 'Without duplicates',
        description: 'Removes results whose page has the same Markdown as that of a better result.',
        group: 'Content',
      })
      .default(false),
    maxTokens: z
      .int()
      .min(100)
      .max(1_000_000)
      .meta({
        title: 'Tokens',
        description:
          'Maximum tokens of the Markdown of all results together, estimated. Returns the parts that match the query best; `omitted` of a result lists the others.',
        group: 'Content',
      })
      .optional(),
    tbs: tbs.optional(),
    lang: lang.default('en'),
    country: country.optional(),
    location: location.optional(),
    safe: z
      .boolean()
      .meta({ title: 'Safe search', description: 'Filters adult content.', group: 'Which pages' })
      .optional(),
    ignoreInvalidURLs: z
      .boolean()
      .meta({
        title: 'Skip blocked pages',
        description: 'Skips results that this engine may not visit.',
        group: 'Which pages',
      })
      .default(false),
    timeout: z
      .int()
      .min(1)
      .max(300_000)
      .meta({
        title: 'Timeout',
        description: 'The time limit of the whole search, including its pages.',
        unit: 'ms',
        group: 'Network',
      })
      .default(60_000),
    asyncScraping: z
      .boolean()
      .meta({
        title: 'Pages later',
        description: 'Returns before the pages are scraped. `scrapeIds` has the ids of their scrapes.',
        group: 'Content',
      })
      .default(false),
    enterprise: z
      .array(z.enum(['default', 'anon', 'zdr']))
      .max(3)
      .meta({
        title: 'Keep nothing',
        description: '`zdr` and `anon` store nothing about the search and its pages.',
        group: 'Cache and privacy',
      })
      .default([]),
    threatProtection,
    record,
  }
})

/** Builds the schema of an engine's search requests. Without formats in `scrapeOptions`, no page is scraped. */
export function searchSchema<Options extends z.ZodType<PageRequest>>(scrapeOptions: Options) {
  return z
    .strictObject({
      ...searchOptions(),
      ...withoutMeaning(),
      scrapeOptions: scrapeOptions
        .meta({
          title: 'Options of each page',
          description:
            'With formats, the page of each result is scraped with these options: those of a scrape, without `url`.',
          group: 'Content',
        })
        .prefault({} as z.input<Options>),
    })
    .superRefine(({ includeDomains, excludeDomains, categories, sources, ...request }, context) => {
      const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (includeDomains.length > 0 && excludeDomains.length > 0)
        issue('excludeDomains', 'cannot be given together with includeDomains; give one of them')
      const alone = categories.find((name) => name === 'developer' || name === 'gov')
      if (alone !== undefined && new Set(categories).size > 1)
        issue('categories', `${alone} cannot be given together with others`)
      const keepsNothing =
        request.enterprise.some((kind) => kind !== 'default') || request.scrapeOptions.zeroDataRetention
      if (request.asyncScraping && keepsNothing)
        issue('asyncScraping', 'cannot be used when nothing is stored; remove it')
      for (const name of ['removeDuplicates', 'maxTokens'] as const)
        if (request.asyncScraping && request[name] !== undefined && request[name] !== false)
          issue(name, 'cannot be used with asyncScraping; remove one of them')
      const types = sources.map(({ type }) => type)
      if (new Set(types).size < types.length) issue('sources', 'lists a source twice; give each once')
    })
    .transform((request) => deepFreeze(withMeaning(request)) as SearchRequest)
}

interface Given {
  readonly sources: readonly { readonly type: string }[]
  readonly threatProtection?: object | undefined
  readonly scrapeOptions: PageRequest
}

/** Removes options without effect, and copies the threat protection of the search to its pages. */
function withMeaning(request: Given): object {
  const kept = Object.entries(request).filter(([name]) => !Object.hasOwn(withoutMeaning(), name))
  const { sources, scrapeOptions, threatProtection = scrapeOptions.threatProtection } = request
  return {
    ...Object.fromEntries(kept),
    ...(threatProtection && { threatProtection, scrapeOptions: { ...scrapeOptions, threatProtection } }),
    sources: sources.filter(({ type }) => type !== vendorSource),
  }
}

type Options = z.output<z.ZodObject<ReturnType<typeof searchOptions>>>

/** A parsed search request: validated, with defaults filled in, frozen. */
export interface SearchRequest extends Readonly<Omit<Options, 'sources'>> {
  /** Empty if the only requested source is the vendor's catalogue. */
  readonly sources: readonly AskedSource[]
  readonly scrapeOptions: PageRequest
}

/** A requested source of results. Its options override the options of the request. */
export interface AskedSource {
  readonly type: (typeof sourceTypes)[number]
  readonly tbs?: string | undefined
  readonly country?: string | undefined
  readonly lang?: string | undefined
  readonly location?: string | undefined
}

/** Returns whether nothing about the search may be stored, because of its option `enterprise`. */
export function isPrivate({ enterprise }: SearchRequest): boolean {
  return enterprise.some((kind) => kind !== 'default')
}
