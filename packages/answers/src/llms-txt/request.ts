import { jobOptions, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

/** The llms.txt request. */
export const request = z.strictObject({
  url: webUrl.meta({ title: 'Address', description: 'The site.', order: 0 }),
  maxUrls: z
    .int()
    .min(1)
    .max(5_000)
    .meta({ title: 'Pages', description: 'The most pages that are listed.' })
    .default(10),
  showFullText: z
    .boolean()
    .meta({ title: 'Full text', description: 'Gives `llmsfulltxt` too: the pages themselves.' })
    .default(false),
  cache: z
    .boolean()
    .meta({ title: 'Kept copies', description: 'Copies of pages that were kept in the last two days will do.' })
    .default(true),
  ...jobOptions,
})

export type LlmsTxtRequest = z.output<typeof request>
