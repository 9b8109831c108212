// What a monitor is asked for, in zod: the words of the public API, and ours beside them.
import { randomUUID } from 'node:crypto'

import { compilePatterns, isPatternProblem } from '@harvestman/json-schema'
import { webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

import { longestGap, scheduleSchema, shortestGap } from './schedule/schedule.ts'

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

const scrapeTarget = z.strictObject({
  id,
  type: z.literal('scrape'),
  urls: z.array(webUrl).min(1).max(10_000).meta({ title: 'Addresses', description: 'The pages that are looked at.' }),
  revisitWithin: z
    .int()
    .min(shortestGap)
    .max(longestGap)
    .meta({
      title: 'Revisit within',
      description:
        'Looks at each page about as often as it changes, and at least once in this time. Every check looks at all pages when absent.',
      unit: 'ms',
    })
    .optional(),
  scrapeOptions,
})

const crawlTarget = z.strictObject({
  id,
  type: z.literal('crawl'),
  url: webUrl.meta({ title: 'Address', description: 'Where the crawl starts.' }),
  crawlOptions: options
    .meta({ title: 'Options of the crawl', description: 'Which pages are visited, as in a crawl.' })
    .default({}),
  incremental: z
    .boolean()
    .meta({
      title: 'Load what has changed',
      description:
        'Asks hosts that can be trusted whether their pages have changed, and loads only those. Every check loads all pages when absent.',
    })
    .optional(),
  scrapeOptions,
})

const searchTarget = z
  .object({
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

const targets = z
  .array(z.discriminatedUnion('type', [scrapeTarget, crawlTarget, searchTarget]).transform(withId))
  .min(1)
  .max(50)
  .meta({ title: 'Targets', description: 'What is looked at: pages, crawls, searches.' })

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,200}$/, 'must be the name of a header')
const headerValue = z
  .string()
  .max(8_000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be the value of a header')
const texts = z.record(z.string().max(200), z.string().max(2_000))

const monitorEvents = ['monitor.page', 'monitor.check.completed'] as const

const webhookObject = z
  .strictObject({
    url: webUrl.meta({ title: 'Address', description: 'Where the messages are sent.' }),
    headers: z
      .record(headerName, headerValue)
      .refine((given) => Object.keys(given).every((name) => name.toLowerCase() !== 'x-firecrawl-signature'), {
        message: 'cannot have x-firecrawl-signature: it proves where a message comes from',
      })
      .meta({ title: 'Headers', description: 'Headers that are sent with each message.', maxProperties: 50 })
      .default({}),
    metadata: texts
      .meta({ title: 'Metadata', description: 'Texts of yours that stand in each message.', maxProperties: 100 })
      .default({}),
    events: z
      .array(z.enum(monitorEvents))
      .min(1)
      .max(10)
      .meta({ title: 'Events', description: 'What is told.', defaultText: 'both' })
      .default([...monitorEvents]),
  })
  .meta({ id: 'MonitorWebhook', title: 'Webhook' })

const webhook = z
  .union([webUrl.transform((url) => webhookObject.parse({ url })), webhookObject])
  .meta({ title: 'Webhook', description: 'Where the monitor tells of its checks: an address, or an object with more.' })

const email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase())

const notification = z
  .strictObject({
    email: z
      .strictObject({
        enabled: z.boolean().default(false),
        recipients: z
          .array(email)
          .max(25)
          .transform((addresses) => [...new Set(addresses)])
          .default([]),
        includeDiffs: z.boolean().default(false),
      })
      .meta({ title: 'E-mail', description: 'Who is sent a mail when something has changed.' })
      .optional(),
    slack: z
      .strictObject({
        enabled: z.boolean().default(false),
        channelId: z.string().min(1).max(64).optional(),
        channelName: z.string().max(128).optional(),
        url: webUrl.optional(),
      })
      .refine(({ enabled, channelId, url }) => !enabled || channelId !== undefined || url !== undefined, {
        message: 'needs the url of an incoming webhook, or a channelId',
      })
      .meta({
        title: 'Chat',
        description:
          'The incoming webhook of Slack, or of what takes the same JSON, that is told when something has changed.',
      })
      .optional(),
    file: z
      .boolean()
      .meta({ title: 'File', description: 'Whether each message is also written to a file of the server.' })
      .optional(),
  })
  .meta({ id: 'MonitorNotification', title: 'Notification', description: 'Who is told beside the webhook.' })

const patterns = z
  .array(z.string().max(2_000))
  .max(100)
  .superRefine((sources, context) => {
    const compiled = compilePatterns(sources)
    if (isPatternProblem(compiled)) context.addIssue({ code: 'custom', message: compiled.problem })
  })

const path = z.string().min(1).max(200)

const change = z
  .strictObject({
    ignore: z
      .strictObject({
        selectors: z
          .array(z.string().min(1).max(500))
          .max(100)
          .meta({ title: 'Selectors', description: 'Elements that are not looked at.' })
          .default([]),
        patterns: patterns
          .meta({ title: 'Patterns', description: 'Lines that a pattern (RE2) finds are not compared.' })
          .default([]),
      })
      .prefault({}),
    only: patterns
      .meta({ title: 'Only', description: 'Patterns (RE2): a change counts when one finds a line that came or went.' })
      .default([]),
    leastCharacters: z
      .int()
      .min(0)
      .meta({ title: 'Characters', description: 'How many characters of lines must have come or gone at the least.' })
      .default(0),
    values: z
      .array(z.string().min(1).max(64))
      .max(10)
      .meta({ title: 'Values', description: 'The formats whose values are compared, field by field.' })
      .default(['json']),
    fields: z
      .array(path)
      .max(100)
      .meta({ title: 'Fields', description: 'Only these count, such as plans[].price; all when empty.' })
      .default([]),
    items: z
      .array(z.strictObject({ at: path, key: path.optional() }))
      .max(20)
      .meta({
        title: 'Items',
        description: 'Lists that are compared by what is in them, and not by place: items are told apart by `key`.',
      })
      .default([]),
    thresholds: z
      .array(
        z
          .strictObject({ field: path, percent: z.number().gt(0).optional(), by: z.number().gt(0).optional() })
          .refine(({ percent, by }) => (percent === undefined) !== (by === undefined), {
            message: 'needs exactly one of percent and by',
          }),
      )
      .max(50)
      .meta({ title: 'Thresholds', description: 'By how much a number must have changed to count.' })
      .default([]),
  })
  .meta({ id: 'MonitorChange', title: 'Change', description: 'What counts as a change.' })

const goal = z
  .string()
  .max(2_000)
  .nullable()
  .transform((text) => text?.trim() || null)
  .meta({
    title: 'Goal',
    description: 'A sentence that says which changes matter: a language model judges each by it.',
  })

const fields = {
  name: z.string().trim().min(1).max(256).meta({ title: 'Name', description: 'What people call it.' }),
  schedule: scheduleSchema.meta({ title: 'Schedule', description: 'When it looks.' }),
  targets,
  webhook: webhook.nullable(),
  notification: notification.nullable(),
  retentionDays: z.int().min(1).max(365).meta({ title: 'Days', description: 'How long checks are kept.' }),
  goal,
  judgeEnabled: z
    .boolean()
    .meta({ title: 'Judge', description: 'Whether a language model judges changes by the goal.' }),
  change,
  maxCreditsPerMonth: z
    .int()
    .min(1)
    .nullable()
    .meta({ title: 'Credits', description: 'The most that its checks may cost in a month (UTC).' }),
}

/** What a new monitor is asked for. */
export const newMonitorSchema = z
  .strictObject({
    ...fields,
    webhook: fields.webhook.default(null),
    notification: fields.notification.default(null),
    retentionDays: fields.retentionDays.default(30),
    goal: goal.default(null),
    judgeEnabled: fields.judgeEnabled.optional(),
    change: change.prefault({}),
    maxCreditsPerMonth: fields.maxCreditsPerMonth.default(null),
    origin: z.string().max(200).optional(),
    integration: z.string().max(200).nullable().optional(),
  })
  .meta({ id: 'NewMonitor', title: 'New monitor', description: 'What a new monitor looks at, when, and who is told.' })

const { name, schedule, ...others } = fields

/** What is changed of a monitor. What is not named stays. */
export const changedMonitorSchema = z
  .strictObject({ ...others, name, schedule, status: z.enum(['active', 'paused']) })
  .partial()
  .extend({ origin: z.string().max(200).optional(), integration: z.string().max(200).nullable().optional() })
  .refine(
    ({ origin: _origin, integration: _integration, ...changes }) =>
      Object.values(changes).some((one) => one !== undefined),
    {
      message: 'must change something, such as name, status, schedule or targets',
    },
  )
  .meta({
    id: 'ChangedMonitor',
    title: 'Changes of a monitor',
    description: 'What is changed of a monitor. What is absent stays.',
  })

/** Which monitors, or checks, are listed. */
export const listSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
})

/** How a check can end, and how it stands before. */
export const checkStatuses = [
  ...['queued', 'running', 'completed', 'failed', 'partial', 'skipped_overlap', 'skipped_no_credits'],
] as const
/** How a check stands. */
export type CheckStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'partial'
  | 'skipped_overlap'
  | 'skipped_no_credits'

/** What became of a page. */
export const pageStatuses = ['same', 'new', 'changed', 'removed', 'error'] as const
/** What became of a page. */
export type PageStatus = (typeof pageStatuses)[number]

/** Which checks are listed. */
export const checkListSchema = listSchema.extend({ status: z.enum(checkStatuses as readonly CheckStatus[]).optional() })

/** Which pages of a check are given. */
export const checkPagesSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  status: z.enum(pageStatuses).optional(),
})

/** What a new monitor is asked for. */
export type NewMonitor = Readonly<z.input<typeof newMonitorSchema>>
/** What is changed of a monitor. */
export type ChangedMonitor = Readonly<z.input<typeof changedMonitorSchema>>
export type Target = z.output<typeof targets>[number]
export type MonitorWebhook = z.output<typeof webhookObject>
export type Notification = z.output<typeof notification>
export type ChangeRules = z.output<typeof change>
