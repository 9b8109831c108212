import { jobOptions, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

/** The llms.txt request. */
export const request = z.strictObject({
  url: webUrl.meta({ title: 'URL', description: 'The site.', order: 0 }),
  maxUrls: z
    .int()
    .min(1)
    .max(5_000)
    .meta({ title: 'Pages', description: 'Maximum number of pages to list.' })
    .default(10),
  showFullText: z
    .boolean()
    .meta({ title: 'Full text', description: 'Also returns `llmsfulltxt`, the full text of the pages.' })
    .default(false),
  cache: z
    .boolean()
    .meta({
      title: 'Use the cache',
      description: 'Uses cached copies of pages that are at most two days old.',
      whenFalse: 'Loads all pages, instead of using cached copies.',
    })
    .default(true),
  ...jobOptions,
})

export type LlmsTxtRequest = z.output<typeof request>
