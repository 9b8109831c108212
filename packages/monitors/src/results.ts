// Schemas of the results of monitor endpoints. Property names follow the public API.
import type { Immutable } from '@harvestman/core/plugin'
import { z } from 'zod'

import { checkStatuses, pageStatuses, type CheckStatus } from './requests/monitor.ts'

const time = z.iso.datetime().nullable()
const count = z.int().min(0)
const texts = z.array(z.string())
const options = z.record(z.string(), z.unknown())

const summarySchema = z
  .object({ totalPages: count, same: count, changed: count, new: count, removed: count, error: count })
  .meta({ id: 'MonitorSummary', description: 'The pages of a check, counted by their status.' })

const recheck = { revisitWithin: z.int().optional(), incremental: z.boolean().optional() }

const target = z.discriminatedUnion('type', [
  z.object({ id: z.string(), type: z.literal('scrape'), urls: texts, ...recheck, scrapeOptions: options }),
  z.object({
    ...{ id: z.string(), type: z.literal('crawl'), url: z.string(), ...recheck },
    ...{ crawlOptions: options, scrapeOptions: options },
  }),
  z.object({
    ...{ id: z.string(), type: z.literal('search'), queries: texts, searchWindow: z.string(), maxResults: count },
    ...{ includeDomains: texts.optional(), excludeDomains: texts.optional() },
  }),
])

const schedule = z.object({
  cron: z.string().optional(),
  every: z.int().optional().describe('Milliseconds.'),
  timezone: z.string(),
  rest: z.array(z.object({ from: z.string(), to: z.string(), days: z.array(z.int()).optional() })),
  missed: z.enum(['once', 'skip']),
  jitter: z.int().optional().describe('Milliseconds.'),
})

const webhook = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  metadata: z.record(z.string(), z.string()),
  events: z.array(z.enum(['monitor.page', 'monitor.check.completed'])),
})

const notification = z.object({
  email: z.object({ enabled: z.boolean(), recipients: texts, includeDiffs: z.boolean() }).optional(),
  slack: z
    .object({
      enabled: z.boolean(),
      channelId: z.string().optional(),
      channelName: z.string().optional(),
      url: z.string().optional(),
    })
    .optional(),
  file: z.boolean().optional(),
})

const change = z
  .object({
    ignore: z.object({ selectors: texts, patterns: texts }),
    only: texts,
    leastCharacters: count,
    values: texts,
    fields: texts,
    items: z.array(z.object({ at: z.string(), key: z.string().optional() })),
    thresholds: z.array(z.object({ field: z.string(), percent: z.number().optional(), by: z.number().optional() })),
  })
  .describe('The differences that count as a change.')

const subscription = z.object({
  email: z.string(),
  status: z
    .enum(['confirmed', 'pending', 'unsubscribed'])
    .describe(
      'Only `confirmed` recipients receive mails. `pending`: it has not confirmed, or the operator does not allow it.',
    ),
  source: z.enum(['team', 'opt_in']).describe('`team`: the operator lists it, so it need not confirm.'),
  confirmationEmailSent: z.boolean().describe('Whether the mail that asks it to confirm was sent.'),
})

/** A monitor. */
export const monitorSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['active', 'paused']),
    schedule,
    nextRunAt: time,
    lastRunAt: time,
    currentCheckId: z.string().nullable().describe('The running check.'),
    targets: z.array(target),
    webhook: webhook.nullable(),
    notification: notification.nullable(),
    emailRecipientSubscriptions: z.array(subscription).optional().describe('Absent in lists.'),
    retentionDays: count,
    estimatedCreditsPerMonth: z.number(),
    lastCheckSummary: summarySchema.nullable(),
    goal: z.string().nullable(),
    judgeEnabled: z.boolean(),
    change,
    maxCreditsPerMonth: z.number().nullable(),
    creditsThisMonth: z.number(),
    skippedRuns: count.describe('Number of scheduled checks that were skipped.'),
    feeds: z
      .object({ rss: z.string(), atom: z.string(), json: z.string() })
      .describe('Feeds of the results. Each URL contains a secret, and needs no API key.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Monitor', description: 'A monitor.' })

/** A monitor. */
export type Monitor = Immutable<z.output<typeof monitorSchema>>

/** The result of a link in a mail. */
export const emailResultSchema = z
  .object({
    result: z.enum(['confirmed', 'already_confirmed', 'unsubscribed', 'already_unsubscribed']),
    email: z.string(),
    monitorName: z.string().nullable(),
  })
  .meta({ id: 'MonitorEmailResult', description: 'The decision of a recipient of mails.' })

/** The result of a link in a mail. */
export type EmailResult = Immutable<z.output<typeof emailResultSchema>>

const values = z.record(z.string(), z.unknown())

/** A check of a monitor. */
export const checkSchema = z
  .object({
    id: z.string(),
    monitorId: z.string(),
    status: z.enum(checkStatuses as readonly CheckStatus[]),
    trigger: z.enum(['scheduled', 'manual']),
    scheduledFor: time,
    startedAt: time,
    finishedAt: time,
    estimatedCredits: z.number().nullable(),
    reservedCredits: z.null(),
    actualCredits: z.number().nullable(),
    billingStatus: z.enum(['not_applicable', 'reserved', 'confirmed']),
    summary: summarySchema,
    targetResults: z.array(values),
    notificationStatus: values
      .nullable()
      .describe('The outcome of its messages, by channel. `null` until all are sent.'),
    error: z.string().nullable(),
    missedRuns: count.describe('Number of missed checks that this check replaces.'),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'MonitorCheck', description: 'A check of a monitor.' })

/** A check of a monitor. */
export type Check = Immutable<z.output<typeof checkSchema>>

const judgment = z.object({
  meaningful: z.boolean(),
  confidence: z.enum(['high', 'medium', 'low']),
  reason: z.string(),
  meaningfulChanges: z.array(
    z.object({
      type: z.enum(['added', 'removed', 'changed']),
      before: z.string().nullable(),
      after: z.string().nullable(),
      reason: z.string(),
    }),
  ),
})

const checkedPage = z
  .object({
    id: z.string(),
    targetId: z.string(),
    url: z.string(),
    status: z.enum(pageStatuses),
    previousScrapeId: z.string().nullable(),
    currentScrapeId: z.string().nullable(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    metadata: values.nullable(),
    diff: z
      .object({ text: z.string().optional(), json: z.unknown().optional() })
      .nullable()
      .describe('The difference in the format of Git, and as data.'),
    snapshot: z.object({ json: z.unknown() }).optional(),
    judgment: judgment.nullable().describe('The judgment of a language model.'),
    createdAt: z.string(),
  })
  .meta({ id: 'CheckedPage', description: 'A page of a check.' })

/** A check with some of its pages. */
export const checkPagesResultSchema = checkSchema
  .extend({
    pages: z.array(checkedPage).describe('The pages, in the order of their checks.'),
    next: z.string().optional().describe('The URL of the next pages. Absent at the end.'),
  })
  .meta({ id: 'MonitorCheckPages', description: 'A check with some of its pages.' })

/** A check with some of its pages. */
export type CheckWithPages = Immutable<z.output<typeof checkPagesResultSchema>>

/** A page of a check. */
export type CheckedPage = CheckWithPages['pages'][number]
