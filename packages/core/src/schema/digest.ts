import { z } from 'zod'

import { deepFreeze } from '../lib/deep-freeze.ts'
import { maxCredits } from './job-options.ts'
import { webUrl } from './scrape.ts'
import { webhookSchema, type Webhook } from './webhook.ts'

/** Of which site an llms.txt is made, and how. */
export const llmsTxtSchema = z
  .strictObject({
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
    maxCredits,
    webhook: webhookSchema.optional(),
  })
  .transform(deepFreeze)

export type LlmsTxtRequest = Readonly<Omit<z.output<typeof llmsTxtSchema>, 'webhook'>> & {
  readonly webhook?: Webhook | undefined
}
