// Answers about monitors and checks. Names are those of the public API, with a few of ours beside them.
import { feedForms, type Monitor, type Monitors } from '@harvestman/monitors'
import { z } from 'zod'

const time = z.iso.datetime().nullable()
const count = z.int().min(0)

const summary = z.object({
  ...{ totalPages: count, same: count, changed: count, new: count, removed: count, error: count },
})

const subscription = z.object({
  email: z.string(),
  status: z.enum(['confirmed', 'pending']).describe('`pending`: the operator does not allow mails to this address.'),
  source: z.enum(['team', 'opt_in']),
})

export const monitorSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  schedule: z.looseObject({ cron: z.string().optional(), timezone: z.string() }),
  nextRunAt: time,
  lastRunAt: time,
  currentCheckId: z.string().nullable(),
  targets: z.array(z.looseObject({ id: z.string(), type: z.enum(['scrape', 'crawl', 'search']) })),
  webhook: z.looseObject({ url: z.string() }).nullable(),
  notification: z.looseObject({}).nullable(),
  emailRecipientSubscriptions: z.array(subscription),
  retentionDays: count,
  estimatedCreditsPerMonth: z.number(),
  lastCheckSummary: summary.nullable(),
  goal: z.string().nullable(),
  judgeEnabled: z.boolean(),
  change: z.looseObject({}).describe('What counts as a change.'),
  maxCreditsPerMonth: z.number().nullable(),
  creditsThisMonth: z.number(),
  skippedRuns: count.describe('Times of its schedule that passed without a check of their own.'),
  feeds: z
    .object({ rss: z.string(), atom: z.string(), json: z.string() })
    .describe('What it has found, for feed readers.'),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** A monitor, with the URLs of its feeds on this server. Mails go to the addresses that the operator allows. */
export function showMonitor(
  { feed, ...monitor }: Monitor,
  at: string,
  { mayMail }: Pick<Monitors, 'mayMail'>,
): z.input<typeof monitorSchema> {
  const feeds = Object.fromEntries(feedForms.map((form) => [form, `${at}/v2/monitor/feed/${feed}/${form}`]))
  const { recipients = [] } = monitor.notification?.email ?? {}
  return {
    ...monitor,
    schedule: { ...monitor.schedule },
    targets: [...monitor.targets],
    emailRecipientSubscriptions: recipients.map((email) =>
      mayMail(email) ? { email, status: 'confirmed', source: 'team' } : { email, status: 'pending', source: 'opt_in' },
    ),
    feeds: { rss: feeds['rss'] ?? '', atom: feeds['atom'] ?? '', json: feeds['json'] ?? '' },
  }
}

export const checkSchema = z.looseObject({
  id: z.string(),
  monitorId: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'partial', 'skipped_overlap', 'skipped_no_credits']),
  trigger: z.enum(['scheduled', 'manual']),
  scheduledFor: time,
  startedAt: time,
  finishedAt: time,
  estimatedCredits: z.number().nullable(),
  actualCredits: z.number().nullable(),
  billingStatus: z.enum(['not_applicable', 'reserved', 'confirmed']),
  summary,
  error: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const checkedPage = z.looseObject({
  id: z.string(),
  targetId: z.string(),
  url: z.string(),
  status: z.enum(['same', 'new', 'changed', 'removed', 'error']),
  previousScrapeId: z.string().nullable(),
  currentScrapeId: z.string().nullable(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  diff: z.looseObject({ text: z.string().optional() }).nullable(),
  judgment: z.looseObject({ meaningful: z.boolean() }).nullable(),
  createdAt: z.string(),
})

export const checkWithPagesSchema = checkSchema.extend({ pages: z.array(checkedPage), next: z.string().optional() })
