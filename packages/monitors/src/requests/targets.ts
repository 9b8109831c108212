// What a monitor looks at: pages, crawls and searches.
import { randomUUID } from 'node:crypto'

import { webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

import { longestGap, shortestGap } from '../schedule/schedule.ts'

const id = z.uuid().meta({ title: 'Id', description: 'The id of the target; made up when absent.' }).optional()
/** Options of pages, crawls and searches are those of the engine, which checks them. */
const options = z.record(z.string(), z.json())
const scrapeOptions = options
  .meta({ title: 'Options of each page', description: 'What is asked of each page, as in a scrape.' })
  .default({})

const domain = z
  .string()
  .max(253)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'must be the name of a host, such as example.com')

function withId<Given extends { readonly id?: string | undefined }>(target: Given): Given & { readonly id: string } {
  return { ...target, id: target.id ?? randomUUID() }
}

const revisitWithin = z.int().min(shortestGap).max(longestGap).meta({
  title: 'Revisit within',
  description:
    'Looks at each page about as often as it changes, and at least once in this time. Every check looks at all pages when absent.',
  unit: 'ms',
})
const incremental = z.boolean().meta({
  title: 'Load what has changed',
  description:
    'Asks hosts that can be trusted whether their pages have changed, and loads only those. Every check loads all pages when absent.',
})

const scrapeTarget = z.strictObject({
  id,
  type: z.literal('scrape'),
  urls: z.array(webUrl).min(1).max(10_000).meta({ title: 'Addresses', description: 'The pages that are looked at.' }),
  revisitWithin: revisitWithin.optional(),
  incremental: incremental.optional(),
  scrapeOptions,
})

const crawlTarget = z
  .strictObject({
    id,
    type: z.literal('crawl'),
    url: webUrl.meta({ title: 'Address', description: 'Where the crawl starts.' }),
    crawlOptions: options
      .meta({ title: 'Options of the crawl', description: 'Which pages are visited, as in a crawl.' })
      .default({}),
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
      .meta({ title: 'Queries', description: 'What is searched for.' }),
    searchWindow: z
      .enum(['5m', '15m', '1h', '6h', '24h', '7d'])
      .meta({ title: 'Window', description: 'How old a result may be.' })
      .default('24h'),
    maxResults: z
      .int()
      .min(1)
      .max(50)
      .meta({ title: 'Results', description: 'The most results of all queries together.' })
      .default(10),
    includeDomains: z
      .array(domain)
      .max(50)
      .meta({ title: 'Only these domains', description: 'And what is below them.' })
      .optional(),
    excludeDomains: z
      .array(domain)
      .max(50)
      .meta({ title: 'Without these domains', description: 'And what is below them.' })
      .optional(),
  })
  .refine(({ includeDomains, excludeDomains }) => includeDomains === undefined || excludeDomains === undefined, {
    message: 'cannot have both includeDomains and excludeDomains; give one of them',
  })

/** What a monitor looks at. */
export const targets = z
  .array(z.discriminatedUnion('type', [scrapeTarget, crawlTarget, searchTarget]).transform(withId))
  .min(1)
  .max(50)
  .meta({ title: 'Targets', description: 'What is looked at: pages, crawls, searches.' })

export type Target = z.output<typeof targets>[number]
