// Options shared by several kinds of jobs.
import { z } from 'zod'

import { record } from './record.ts'
import { webhookSchema } from './webhook.ts'

export const sitemapUse = z
  .enum(['skip', 'include', 'only'])
  .meta({
    title: 'Sitemaps',
    description: 'Whether sitemaps are ignored (skip), used with links (include), or used alone (only).',
    group: 'Which pages',
  })
  .default('include')

export const maxConcurrency = z
  .int()
  .min(1)
  .meta({
    title: 'Pages at once',
    description: 'The most pages this job loads at once. Default: the limit of your team.',
    group: 'Manners',
  })
  .optional()

export const maxCredits = z
  .int()
  .min(1)
  .meta({ title: 'Credits', description: 'Ends the job before it would cost more.', group: 'Which pages' })
  .optional()

/** Options that core implements for all kinds of jobs. */
export const jobOptions = { maxCredits, webhook: webhookSchema.optional(), record }

/** Options that core implements for kinds of jobs that visit pages. */
export const visitOptions = {
  ...jobOptions,
  maxConcurrency,
  timeout: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .meta({ title: 'Timeout', description: 'It ends then, with the pages that it has.', unit: 'ms' })
    .optional(),
}
