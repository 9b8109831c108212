// Targets of monitors: pages, crawls and searches.
import { randomUUID } from 'node:crypto'

import { webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

import { maxGap, minGap } from '../schedule/schedule.ts'

const id = z.uuid().meta({ title: 'Id', description: 'The id of the target. Default: a random one.' }).optional()
/** The engine validates these options. */
const options = z.record(z.string(), z.json())
const scrapeOptions = options
  .meta({ title: 'Options of each page', description: 'The options of the scrape of each page.' })
  .default({})

const domain = z
  .string()
  .max(253)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'must be the name of a host, such as example.com')

function withId<Given extends { readonly id?: string | undefined }>(target: Given): Given & { readonly id: string } {
  return { ...target, id: target.id ?? randomUUID() }
}

const revisitWithin = z.int().min(minGap).max(maxGap).meta({
  title: 'Revisit within',
  description:
    'Checks each page about as often as it changes, and at least once in this time. Default: every check covers all pages.',
  unit: 'ms',
})
const incremental = z.boolean().meta({
  title: 'Load what has changed',
  description:
    'Asks hosts that answer reliably whether their pages have changed, and loads only changed pages. Default: every check loads all pages.',
})

const scrapeTarget = z.strictObject({
  id,
  type: z.literal('scrape'),
  urls: z.array(webUrl).min(1).max(10_000).meta({ title: 'URLs', description: 'The pages to check.' }),
  revisitWithin: revisitWithin.optional(),
  incremental: incremental.optional(),
  scrapeOptions,
})

const crawlTarget = z
  .strictObject({
    id,
    type: z.literal('crawl'),
    url: webUrl.meta({ title: 'URL', description: 'The URL where the crawl starts.' }),
    crawlOptions: options.meta({ title: 'Options of the crawl', description: 'The options of the crawl.' }).default({}),
    revisitWithin: revisitWithin.optional(),
    incremental: incremental.optional(),
    scrapeOptions,
  })
  .refine((target) => target.revisitWithin === undefined || target.incremental === true, {
    path: ['revisitWithin'],
    message: 'of a crawl needs incremental: true',
  })

const searchTarget = z
  .strictObject({
    id,
    type: z.literal('search'),
    queries: z
      .array(z.string().trim().min(1).max(256))
      .min(1)
      .max(12)
      .meta({ title: 'Queries', description: 'The search queries.' }),
    searchWindow: z
      .enum(['5m', '15m', '1h', '6h', '24h', '7d'])
      .meta({ title: 'Window', description: 'The maximum age of a result.' })
      .default('24h'),
    maxResults: z
      .int()
      .min(1)
      .max(50)
      .meta({ title: 'Results', description: 'The maximum number of results of all queries together.' })
      .default(10),
    includeDomains: z
      .array(domain)
      .max(50)
      .meta({ title: 'Only these domains', description: 'Domains to search, with their subdomains.' })
      .optional(),
    excludeDomains: z
      .array(domain)
      .max(50)
      .meta({ title: 'Without these domains', description: 'Domains to exclude, with their subdomains.' })
      .optional(),
  })
  .refine(({ includeDomains, excludeDomains }) => includeDomains === undefined || excludeDomains === undefined, {
    message: 'cannot have both includeDomains and excludeDomains; give one of them',
  })

/** Targets of a monitor. */
export const targets = z
  .array(z.discriminatedUnion('type', [scrapeTarget, crawlTarget, searchTarget]).transform(withId))
  .min(1)
  .max(50)
  .meta({ title: 'Targets', description: 'The pages, crawls and searches to check.' })

export type Target = z.output<typeof targets>[number]
