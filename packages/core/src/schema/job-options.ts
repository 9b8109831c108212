// Options shared by several kinds of jobs.
import { z } from 'zod'

import { record } from './record.ts'
import { threatProtection } from './threat-protection.ts'
import { webhookSchema } from './webhook.ts'

export const sitemapUse = z
  .enum(['skip', 'include', 'only'])
  .meta({
    title: 'Sitemaps',
    description:
      'How to use sitemaps: not at all (`skip`), together with links (`include`), or instead of links (`only`).',
    group: 'Which pages',
  })
  .default('include')

export const maxConcurrency = z
  .int()
  .min(1)
  .meta({
    title: 'Pages at once',
    description: 'Maximum number of pages that the job loads at once. Default: the limit of your team.',
    group: 'Manners',
  })
  .optional()

export const maxCredits = z
  .int()
  .min(1)
  .meta({
    title: 'Credits',
    description: 'The maximum price of the job in credits. The job ends before it would cost more.',
    group: 'Which pages',
  })
  .optional()

/** Options that core implements for all kinds of jobs. */
export const jobOptions = { maxCredits, webhook: webhookSchema.optional(), record, threatProtection }

/** Options that core implements for kinds of jobs that visit pages. */
export const visitOptions = {
  ...jobOptions,
  maxConcurrency,
  timeout: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .meta({
      title: 'Timeout',
      description: 'The time limit of the job. Its result then has the pages read so far.',
      unit: 'ms',
    })
    .optional(),
}
